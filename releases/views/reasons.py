"""Why a draft may not be what was wanted, and why pairs are left out, in words of pages."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from annotation.projects.labels import shown
from annotation.stats.shape import READABLE, REMARKS, RULES
from annotation.templatetags.figures import number, share
from releases.dataset.preview import Reason
from releases.dataset.rows import LeftOut
from releases.dataset.translated.rows import LeftOut as NotTranslated

LEFT_OUT: dict[str, str | Promise] = {
    LeftOut.WAITING: _("judged pairs still lack answers"),
    LeftOut.EASY: _("kept pairs have the label that the model gave them"),
    LeftOut.SURPLUS: _("pairs were dropped for the share of paraphrases"),
    LeftOut.EQUAL: _("pairs of two identical sentences fell into dev or test"),
    LeftOut.CONFLICT: _("recombined pairs would get two labels"),
    LeftOut.UNKNOWN: _("recombined pairs would get no label"),
    LeftOut.NOISY_EASY: _(
        "rows of unlabeled_final have the texts of kept pairs that the model labels as people do"
    ),
    LeftOut.NOISY_CONFLICT: _("unjudged pairs get two labels from two methods"),
    LeftOut.NOISY_REPEATED: _("unjudged pairs have the same texts as another"),
    LeftOut.NOISY_OF_TEST: _("unjudged pairs are connected to a pair of test"),
    LeftOut.NOISY_BETWEEN: _("unjudged pairs connect train and dev"),
    LeftOut.NOISY_EQUAL: _("unjudged pairs of two identical sentences fell into dev"),
}
TRANSLATED_LEFT_OUT: dict[str, str | Promise] = {
    NotTranslated.UNTRANSLATABLE: _("people could not translate a sentence"),
    NotTranslated.EQUAL: _("paraphrases whose translations are equal"),
    NotTranslated.SHARED: _("a translation is also in another split"),
    NotTranslated.NO_MACHINE_TRANSLATION: _("a machine translation is missing"),
}
WARNINGS: dict[Reason, str | Promise] = {
    Reason.NO_PAIRS: _("labeled_final is empty, so it can't be used for training or testing."),
    Reason.ONE_LABEL: _("No pair in labeled_final is a paraphrase, so models can’t learn from it."),
    Reason.ALL_SWAPS: _(
        "No back translation is kept, so every kept word swap is in labeled_final."
    ),
    Reason.NO_TRAIN: _(
        "Dev and test take every pair in labeled_final, so none is left for training."
    ),
    Reason.TOO_SMALL: _("%(file)s has %(reached)s pairs instead of %(wanted)s."),
    Reason.TOO_LARGE: _(
        "%(pairs)s pairs, %(share)s of labeled_final, are linked by their sentences. That is more "
        "than the size of dev or test, so they stay in train."
    ),
    Reason.SPLIT_SHARE: _("%(file)s has %(reached)s paraphrases instead of %(wanted)s."),
    Reason.FINAL_SHARE: _("labeled_final has %(reached)s paraphrases instead of %(wanted)s."),
    Reason.READABLE_SHAPE: _(REMARKS[READABLE]),
}
ALL_PARAPHRASES = _("All pairs in labeled_final are paraphrases, so models can’t learn from it.")
ALL_ALIKE = _(
    "All pairs in labeled_final have the label “%(name)s”, so models can’t learn from it."
)


def warning_in_words(reason: Reason, figures: Mapping[str, Any]) -> str:
    text = ALL_PARAPHRASES if figures.get("label") else WARNINGS[reason]
    text = ALL_ALIKE if "name" in figures else text
    values = {name: _format_figure(figure) for name, figure in figures.items()}
    values |= {"rule": gettext(RULES[values["rule"]])} if "rule" in values else {}
    values |= {"name": shown(values["name"])} if "name" in values else {}
    if "split" in figures:
        values["file"] = f"{figures['subset']}/{figures['split']}.tsv"
    return f"{text % values} {_drawable_note(figures)}".strip()


def _drawable_note(figures: Mapping[str, Any]) -> str:
    if "drawable" not in figures:
        return ""
    text = ngettext(
        "Only %(pairs)s pair can be in dev or test; the others are linked to train.",
        "Only %(pairs)s pairs can be in dev or test; the others are linked to train.",
        figures["drawable"],
    )
    return text % {"pairs": number(figures["drawable"])}


def _format_figure(figure: str | int | float) -> str:
    if isinstance(figure, str):
        return figure
    return share(figure) if isinstance(figure, float) else number(figure)
