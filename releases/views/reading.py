"""How the files of a draft of a published set were read, and what is remarkable in them."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from annotation.imports.reasons import in_words
from generation.nlp.text import Reason
from releases.dataset.published.reading import BAD_BYTES
from releases.dataset.published.rows import OTHER_LANGUAGE
from releases.dataset.published.texts import BREAKS, DECODED, NORMALISED, STRIPPED
from releases.dataset.published.values import Dropped
from releases.models import Release, ReleasePreview
from releases.reading_form import ReadingForm

# By the choice that a set lacks: what to do on the page, and where.
REMEDIES: Mapping[str, tuple[str | Promise, str]] = {
    "columns": (_("Correct what the columns hold."), "columns"),
    "language": (_("Correct the language, or say that no column is the language."), "about-set"),
    "labels": (_("Say what each of these labels means."), "labels"),
    "paraphrase_from": (_("Say from which number on a pair is a paraphrase."), "labels"),
    "votes": (_("Say how many votes make a paraphrase."), "labels"),
    "files": (_("Say which split each file is."), "splits"),
    "config": (_("Choose one of them."), "splits"),
    "draw": (_("Correct the sizes of the splits that are drawn."), "splits"),
    "accepts_refused": (_("Correct the files, or leave these lines out."), "refused"),
}
REASONS: Mapping[str, str | Promise] = {
    Reason.TOO_LONG: _("A sentence is too long: the maximum is 10,000 characters."),
    Reason.EMPTY: _("A sentence is empty."),
    Dropped.NO_FORM: _("The label is none of those above."),
    BAD_BYTES: _("The text is Python code, b'…', that can’t be decoded."),
}
# By the form of labels (`releases.dataset.published.values`), and the column that decides.
RULES: Mapping[tuple[str, str], str | Promise] = {
    ("label", "sides"): _("0 and 1, yes and no, or true and false"),
    ("label", "names"): _("names of labels"),
    ("label", "votes"): _("votes"),
    ("label", "grades"): _("grades"),
    ("label", "scores"): _("scores"),
    ("grade", "grades"): _("the column of grades"),
    ("grade", "scores"): _("the column of scores"),
    ("votes", "annotations"): _("the mean of people’s answers"),
}
CHANGED: Mapping[str, str | Promise] = {
    DECODED: _("Sentences decoded from Python code, b'…'"),
    NORMALISED: _("Sentences in another Unicode form (now NFC)"),
    BREAKS: _("Sentences whose tabs and line breaks became spaces"),
    STRIPPED: _("Sentences with spaces around them, which were cut"),
}
LEFT_OUT: Mapping[str, str | Promise] = {
    Dropped.NO_LABEL: _("Pairs without a label, left out"),
    OTHER_LANGUAGE: _("Pairs in another language, left out"),
}
FINDINGS: Mapping[str, str | Promise] = {
    "equal": _("Pairs of two equal sentences"),
    "repeated": _("Pairs that repeat another one, with the same label"),
    "contradicting": _("Pairs that repeat another one, with another label"),
    "shared": _("Sentences in two splits"),
}


class Fact(NamedTuple):
    """A number of pairs or sentences, in all and by split."""

    name: str | Promise
    number: int
    parts: list[tuple[str, int]]


def form_of(release: Release, sent: Any = None) -> ReadingForm:
    return ReadingForm(release, _published(release.preview), sent)


def summary(preview: ReleasePreview, form: ReadingForm) -> dict[str, Any]:
    """Return what the page of a draft shows, once a worker has read its files."""
    published = _published(preview)
    remedy, place = REMEDIES.get(published.get("choice", ""), ("", ""))
    return {
        "reading": form,
        "problem": published.get("problem", ""),
        "remedy": remedy,
        "remedy_at": place,
        "rule": RULES.get((published.get("decides", ""), published.get("form", "")), ""),
        "labels": _labels(form, published) if published else (),
        "more_labels": form.outline.get("more_labels", 0),
        "refused": [
            refusal | {"words": REASONS.get(refusal["reason"]) or in_words(refusal["reason"])}
            for refusal in form.outline.get("refused", ())
        ],
        "facts": [*facts(published["counts"])] if "counts" in published else None,
        "without_labels": published.get("counts", {}).get("splits_without_labels", ()),
    }


def _published(preview: ReleasePreview) -> dict[str, Any]:
    published: dict[str, Any] = (preview.content or {}).get("published", {})
    return published


def _labels(form: ReadingForm, published: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the published labels, each with its field, or with what its pairs became."""
    outcomes: dict[str, list[tuple[str, int]]] = {}
    for label, side, number in published.get("outcomes", ()):
        outcomes.setdefault(label, []).append((_side(side), number))
    for text, rows, field in form.label_fields():
        yield {"text": text, "rows": rows, "field": field, "outcomes": outcomes.get(text, ())}


def _side(label: int | None) -> str:
    if label is None:
        return _now("low agreement")
    return _now("a paraphrase") if label else _now("no paraphrase")


def facts(counts: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield what is remarkable in a set, by the counts of its manifest."""
    for name, title in FINDINGS.items():
        if parts := counts["findings"][name]:
            named = ((where.replace(", ", " + "), number) for where, number in parts.items())
            yield Fact(title, sum(parts.values()), sorted(named))
    for titles, key in ((LEFT_OUT, "left_out"), (CHANGED, "changed")):
        for name, number in counts[key].items():
            yield Fact(titles[name], number, [])
    if refused := sum(counts["refused"].values()):
        yield Fact(_("Lines that can’t be read, left out"), refused, [])
