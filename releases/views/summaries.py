"""What pages show of a release: its counts and agreement, or the preview of a draft."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotation.models import Project
from annotation.projects import charts
from annotation.projects.charts import Panel
from annotation.stats.agreement import kept_votes
from annotation.stats.overlap import BINS, is_english
from annotation.stats.report import SplitCounts
from annotation.templatetags.figures import number, share
from common import licences
from generation.nlp.words import has_spaces
from releases.dataset import card, graded
from releases.dataset.columns import ENTITY
from releases.dataset.manifest import Manifest, as_json
from releases.dataset.metadata import parse_web_address
from releases.dataset.preview import Reason
from releases.dataset.rows import LeftOut
from releases.dataset.settings import ReleaseSettings
from releases.dataset.translated.figures import number_drawn
from releases.dataset.translated.files import BACK, TRANSLATED
from releases.dataset.translated.files import FORMAT as TRANSLATION
from releases.dataset.translated.rows import LeftOut as NotTranslated
from releases.models import Release, ReleasePreview
from releases.selectors import comparisons
from releases.selectors.releases import (
    is_translation,
    metadata_of,
    settings_of,
    translation_settings_of,
)

# Idle workers check every second; after this time the page suggests what to do.
LONG = timedelta(seconds=10)
# Of the chart of shared words, in pixels; every second edge of its bars has a number.
HEIGHT, LABELLED_TICKS = 110, 2

LEFT_OUT: dict[str, str | Promise] = {
    LeftOut.WAITING: _("judged pairs still lack answers"),
    LeftOut.SURPLUS: _("pairs were dropped for the share of paraphrases"),
    LeftOut.EQUAL: _("pairs of two identical sentences fell into dev or test"),
    LeftOut.CONFLICT: _("recombined pairs would get two labels"),
    LeftOut.UNKNOWN: _("recombined pairs would get no label"),
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
}
# The subsets of a release of translations.
SUBSETS_IN_WORDS: dict[str, str | Promise] = {
    TRANSLATED: _("In translation"),
    BACK: _("Translated back by machine"),
}
# Subsets whose pairs have no label of their own.
NOT_LABELLED = {"unlabeled_final", "translate_test"}
ALL_PARAPHRASES = _("All pairs in labeled_final are paraphrases, so models can’t learn from it.")


class ByMethod(NamedTuple):
    """The judged pairs of a method, those of them that are kept, and the agreement on them.

    `kept` is None where the agreement is on grades.
    """

    method: str
    pairs: int
    kept: int | None
    agreement: Mapping[str, float | None]


class Subset(NamedTuple):
    """A row of Table 5. `share` is the share of paraphrases."""

    name: str
    sizes: SplitCounts
    share: float | None


class Listed(NamedTuple):
    """A row of the list of releases; the counts are None before it is built."""

    release: Release
    judged: int | None
    labelled: int | None


class Bin(NamedTuple):
    """A row of the table: the similarities from `low` to `high`, and the pairs of each label."""

    low: float
    high: float
    positives: int
    negatives: int


class Edge(NamedTuple):
    """A mark below the panels, with its number if it has one."""

    x: str
    number: float | None


def overview(project: Project) -> dict[str, Any]:
    releases = [list_row(release) for release in project.releases.all()]
    return {"releases": releases, "comparison": comparisons.comparison_of_project(project)}


def list_row(release: Release) -> Listed:
    if release.manifest is None:
        return Listed(release, None, None)
    counts = release.manifest["counts"]
    sizes = card.split_counts(counts)
    labelled = sum(
        sizes_of_table.total for name, sizes_of_table in sizes.items() if name not in NOT_LABELLED
    )
    return Listed(release, counts.get("judged"), labelled)


def chosen_settings(release: Release) -> dict[str, Any]:
    if is_translation(release):
        return {"translation": translation_settings_of(release)}
    settings = settings_of(release)
    paraphrases = settings.paraphrase_share
    return {
        "dev": _size(settings.dev),
        "test": _size(settings.test),
        "unlabeled_dev": _size(settings.unlabeled_dev),
        "paraphrases": share(paraphrases) if paraphrases else "",
    }


def declared_metadata(release: Release) -> dict[str, Any]:
    about = metadata_of(release)
    pages = {"licence_page": licences.address(about.licence), "home_page": ""}
    with suppress(ValueError):  # stored by another version: shown, but never as a link
        pages["home_page"] = parse_web_address(about.homepage)
    return {"about": about, **pages}


def manifest_summary(manifest: Manifest) -> dict[str, Any]:
    if manifest["format"] == TRANSLATION:
        return _translation_summary(manifest)
    settings = ReleaseSettings.from_dict(manifest["settings"])
    counts = manifest["counts"]
    return {
        "counts": counts,
        "overlap": _shared_words(counts, manifest["language"]),
        "manifest_sha256": hashlib.sha256(as_json(manifest).encode()).hexdigest(),
        "is_simulated": manifest["simulated"],
        "methods": list(_rows_by_method(settings, counts)),
        "graded": [
            ByMethod(method, sum(votes.values()), None, counts[graded.AGREEMENT][method])
            for method, votes in graded.tables(counts).items()
        ],
        "all_different": graded.all_different(counts),
        "release_settings": settings,
        "has_entities": ENTITY in settings.columns,
        "subsets": list(_subsets(counts)),
        "low_agreement": counts["subsets"]["low_agreement"]["train"]["pairs"],
    }


def _translation_summary(manifest: Manifest) -> dict[str, Any]:
    counts = manifest["counts"]
    figures = manifest["word_errors"]
    splits = counts["subsets"]["translated"]
    return {
        "counts": counts,
        "source": manifest["source"],
        "manifest_sha256": hashlib.sha256(as_json(manifest).encode()).hexdigest(),
        "is_simulated": manifest["simulated"],
        "subsets": [
            subset._replace(name=str(SUBSETS_IN_WORDS[subset.name]))
            for subset in _subsets(counts)
            if subset.sizes.total
        ],
        "drawn": [number_drawn(counts, split) for split in splits],
        "word_errors": figures if figures["overall"]["sentences"] else None,
        "left_out": [
            (TRANSLATED_LEFT_OUT[why], [numbers.get(split, 0) for split in splits])
            for why, numbers in counts["left_out"].items()
            if any(numbers.values())
        ],
        "collapsed": [key for ids in manifest["collapsed"].values() for key in ids],
    }


def _subsets(counts: Mapping[str, Any]) -> Iterator[Subset]:
    for name, sizes in card.split_counts(counts).items():
        yield Subset(name, sizes, sizes.paraphrases / sizes.total if sizes.total else None)


def _shared_words(counts: Mapping[str, Any], language: str) -> dict[str, Any] | None:
    """Return the figures with the geometry of their chart (PARADE 4.4, Figure 1), if any."""
    if not (figures := counts.get("overlap")):
        return None
    positives, negatives = figures["positives"], figures["negatives"]
    panels = _panels(positives, negatives)
    total = positives["pairs"] + negatives["pairs"]
    test = counts["subsets"]["labeled_final"]["test"]
    tables = zip(positives["bins"], negatives["bins"], strict=True)
    return dict(figures) | {
        "is_english": is_english(language),
        "by_character": not has_spaces(language),
        "panels": panels,
        "edges": [
            Edge(f"{100 * number // BINS}%", None if number % LABELLED_TICKS else number / BINS)
            for number in range(BINS + 1)
        ],
        "bins": [
            Bin(number / BINS, (number + 1) / BINS, *pairs) for number, pairs in enumerate(tables)
        ],
        "chance": positives["pairs"] / total,
        "chance_on_test": test["paraphrases"] / test["pairs"] if test["pairs"] else None,
    }


def _panels(*parts: Mapping[str, Any]) -> dict[str, Panel]:
    shares = [_shares(part) for part in parts]
    scale = charts.axis(0, max(0.1, *shares[0], *shares[1]))
    drawn = (charts.bars(share, height=HEIGHT, scale=scale) for share in shares)
    return dict(zip(("positives", "negatives"), drawn, strict=True))


def _shares(part: Mapping[str, Any]) -> Sequence[float]:
    return [pairs / (part["pairs"] or 1) for pairs in part["bins"]]


def _size(size: int | float) -> str:
    return share(size) if isinstance(size, float) else number(size)


def _rows_by_method(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[ByMethod]:
    for method, votes in card.vote_tables(counts).items():
        kept = kept_votes(votes, card.binary(settings))
        pairs = sum(votes.values())
        yield ByMethod(method, pairs, sum(kept.values()), counts["agreement"][method])


def preview_summary(release: Release) -> dict[str, Any]:
    preview = ReleasePreview.objects.filter(release=release).first()
    if preview is None:
        return {"look": None}
    context: dict[str, Any] = {"look": preview, "is_slow": timezone.now() - preview.asked_at > LONG}
    if preview.content is None:
        return context
    run = release.project.runs.select_related("corpus").first()
    language = run.corpus.language if run else "en"
    if is_translation(release):
        language = release.settings["language"]
    content = preview.content
    return context | {
        "preview": content,
        "warnings": [
            _warning(warning["reason"], warning["figures"]) for warning in content["warnings"]
        ],
        "left_out": [
            ((LEFT_OUT | TRANSLATED_LEFT_OUT)[reason], pairs)
            for reason, pairs in content["left_out"]
        ],
        "language": language,
    }


def _warning(reason: Reason, figures: Mapping[str, Any]) -> str:
    text = ALL_PARAPHRASES if figures.get("label") else WARNINGS[reason]
    values = {name: _format_figure(figure) for name, figure in figures.items()}
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
