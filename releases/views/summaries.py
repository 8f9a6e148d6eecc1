"""What pages show of a release: its counts and agreement, or the preview of a draft."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext

from annotation.models import Project
from annotation.projects.labels import headline_name, outcome_names
from annotation.stats.agreement import kept_votes
from annotation.stats.paws_tables import SplitCounts
from annotation.templatetags.figures import number, share
from common import licences
from releases.dataset import citations, graded, paper_tables
from releases.dataset.columns import ENTITY
from releases.dataset.documentation import QUESTIONS
from releases.dataset.files import ReleaseKind
from releases.dataset.formats import format_of
from releases.dataset.manifest import Manifest, as_json
from releases.dataset.metadata import parse_web_address
from releases.dataset.plain_names import plain_name
from releases.dataset.settings import ReleaseSettings
from releases.dataset.translated.figures import number_drawn
from releases.models import Release, ReleasePreview
from releases.selectors import activities, comparisons
from releases.selectors.published import is_published_set, missing_of
from releases.selectors.releases import (
    PUBLISHED,
    carried_over_from,
    is_translation,
    metadata_of,
    settings_of,
    translation_settings_of,
)
from releases.views import contents
from releases.views.reasons import LEFT_OUT, TRANSLATED_LEFT_OUT, warning_in_words
from releases.views.shared_words import shared_words

# Idle workers check every second; after this time the page suggests what to do.
LONG = timedelta(seconds=10)

# Subsets whose pairs have no label of their own.
NOT_LABELLED = {"unlabeled_final", "translate_test"}


class ByMethod(NamedTuple):
    """The judged pairs of a method, those of them that are kept, and the agreement on them.

    `kept` is None where the agreement is on grades.
    """

    method: str
    pairs: int
    kept: int | None
    agreement: Mapping[str, float | None]

    @property
    def headline(self) -> float | None:
        """Alpha with the distances of the level of the labels."""
        names = ("interval_alpha", "ordinal_alpha", "krippendorff_alpha")
        return next(self.agreement[name] for name in names if name in self.agreement)


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


def overview(project: Project) -> dict[str, Any]:
    if not project.kinds:
        return _newest(project)
    return {"comparison": comparisons.comparison_of_project(project)}


def _newest(project: Project) -> dict[str, Any]:
    """Return what is in the newest version of a published set, if there is one."""
    built = project.releases.filter(state=Release.State.FROZEN, manifest__isnull=False)
    newest = built.order_by("-frozen_at").first()
    if newest is None or newest.manifest is None:
        return {}
    return {
        "newest": newest,
        **declared_metadata(newest),
        **contents.of_manifest(newest, newest.manifest),
    }


def list_row(release: Release) -> Listed:
    if release.manifest is None:
        return Listed(release, None, None)
    counts = release.manifest["counts"]
    sizes = paper_tables.split_counts(counts)
    labelled = sum(
        sizes_of_table.total for name, sizes_of_table in sizes.items() if name not in NOT_LABELLED
    )
    return Listed(release, counts.get("judged"), labelled)


def chosen_settings(release: Release) -> dict[str, Any]:
    if is_published_set(release):
        return {"published": release.settings}
    if is_translation(release):
        return {"translation": translation_settings_of(release)}
    settings = settings_of(release)
    paraphrases = settings.paraphrase_share
    return {
        "dev": _size(settings.dev),
        "test": _size(settings.test),
        "unlabeled_dev": _size(settings.unlabeled_dev),
        "paraphrases": share(paraphrases) if paraphrases else "",
        "has_sides": settings.scheme.is_binary,
        "decides": settings.scheme.decides,
        "votes": settings.consensus_min_votes,
        "people": settings.judgments_per_pair,
    }


def declared_metadata(release: Release) -> dict[str, Any]:
    about = metadata_of(release)
    pages = {"licence_page": "", "home_page": ""}
    with suppress(ValueError):  # published sets may have a licence of their own
        pages["licence_page"] = licences.address(licences.spdx(about.licence))
    with suppress(ValueError):  # stored by another version: shown, but never as a link
        pages["home_page"] = parse_web_address(about.homepage)
    name = release.facts.get("name", release.project.name)
    year = (release.frozen_at or timezone.now()).year
    default = citations.sentence(about, name=name, version=release.version, year=year)
    if is_published_set(release):  # it is cited as its publishers say, and never as our work
        default = ""
    return {"about": about, "citation": about.citation or default, **pages}


def documentation(release: Release) -> dict[str, Any]:
    """Return the questions with their answers, and the titles of fields that are missing."""
    answers = metadata_of(release).documentation
    context: dict[str, Any] = {
        "documented": [
            (question, answer)
            for question in QUESTIONS
            if (answer := getattr(answers, question.name))
        ],
        "undocumented": [gettext(title) for title in missing_of(release)],
    }
    if release.state not in PUBLISHED:
        project = release.project
        context["carried_over_from"] = carried_over_from(answers, project, draft=release)
    return context


def manifest_summary(manifest: Manifest) -> dict[str, Any]:
    kind, counts = format_of(manifest).kind, manifest["counts"]
    if kind is ReleaseKind.TRANSLATION:
        return _translation_summary(manifest)
    summary = {
        "counts": counts,
        "overlap": shared_words(counts, manifest["language"]),
        "manifest_sha256": hashlib.sha256(as_json(manifest).encode()).hexdigest(),
        "is_simulated": manifest["simulated"],
        "models": manifest["models"],
        "paraphrases": _paraphrases(counts["subsets"]["labeled_final"].values()),
    }
    if kind is ReleaseKind.PUBLISHED:
        return summary
    settings = ReleaseSettings.from_dict(manifest["settings"])
    return summary | {
        "has_entities": ENTITY in settings.columns,
        "label_shares": _label_shares(settings, counts["subsets"]["labeled_final"].values()),
        **_judged(settings, counts),
    }


def _judged(settings: ReleaseSettings, counts: Mapping[str, Any]) -> dict[str, Any]:
    scheme = settings.votes_scheme
    return {
        "methods": list(_rows_by_method(settings, counts)),
        "graded": [
            ByMethod(method, sum(votes.values()), None, counts[graded.AGREEMENT][method])
            for method, votes in graded.tables(counts).items()
        ],
        "alpha_name": headline_name(scheme) if scheme.is_ordered else gettext("Alpha"),
        "all_different": graded.all_different(counts),
        "release_settings": settings,
    }


def _paraphrases(splits: Iterable[Mapping[str, Any]]) -> float | None:
    """Return the share of paraphrases among all pairs of the splits of a subset; None of others."""
    splits = list(splits)
    pairs = sum(split["pairs"] for split in splits)
    if not pairs or splits[0].get("paraphrases") is None:
        return None
    return float(sum(split["paraphrases"] for split in splits) / pairs)


def _label_shares(
    settings: ReleaseSettings, splits: Iterable[Mapping[str, Any]]
) -> list[tuple[str, float]]:
    """Return the name of each label and its share of the pairs; empty without or of two sides."""
    splits, scheme = list(splits), settings.scheme
    pairs = sum(split["pairs"] for split in splits)
    if not pairs or scheme.is_binary or not scheme.decides:
        return []
    numbers = zip(*(split["outcomes"] for split in splits), strict=True)
    return [
        (name, sum(part) / pairs) for name, part in zip(outcome_names(scheme), numbers, strict=True)
    ]


def _translation_summary(manifest: Manifest) -> dict[str, Any]:
    counts = manifest["counts"]
    figures = manifest["word_errors"]
    splits = counts["subsets"]["translated"]
    return {
        "counts": counts,
        "source": manifest["source"],
        "models": manifest["models"],
        "manifest_sha256": hashlib.sha256(as_json(manifest).encode()).hexdigest(),
        "is_simulated": manifest["simulated"],
        "subsets": [
            subset._replace(name=gettext(plain_name(subset.name).name))
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
    for name, sizes in paper_tables.split_counts(counts).items():
        yield Subset(name, sizes, sizes.shares[0] if len(sizes.shares) == 1 else None)


def _size(size: int | float) -> str:
    return share(size) if isinstance(size, float) else number(size)


def _rows_by_method(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[ByMethod]:
    for method, votes in paper_tables.vote_tables(counts).items():
        kept = kept_votes(votes, paper_tables.protocol_of_votes(settings))
        pairs = sum(votes.values())
        yield ByMethod(method, pairs, sum(kept.values()), counts["agreement"][method])


def preview_summary(release: Release) -> dict[str, Any]:
    preview = ReleasePreview.objects.filter(release=release).first()
    if preview is None:
        return {"look": None}
    context: dict[str, Any] = {
        "look": preview,
        "is_slow": timezone.now() - preview.asked_at > LONG,
        "is_simulated": bool(activities.simulated_people(release.project)),
    }
    if preview.state != ReleasePreview.State.MADE or preview.content is None:
        return context
    content = preview.content
    judged = {} if is_translation(release) or not content.get("judged") else content["judged"]
    labelled = [part for part in content["parts"] if part["subset"] == "labeled_final"]
    if not (is_translation(release) or is_published_set(release)):
        settings = settings_of(release)
        names = outcome_names(settings.scheme)
        context["has_sides"] = settings.scheme.is_binary
        context["label_shares"] = _label_shares(settings, labelled)
        context["has_labels"] = settings.scheme.decides
        for part in content["parts"]:
            numbers = map(number, part.get("outcomes", ()))
            part["labels"] = ", ".join(map(" ".join, zip(names, numbers, strict=False)))
    return context | {
        "preview": content,
        "warnings": [
            warning_in_words(warning["reason"], warning["figures"])
            for warning in content["warnings"]
        ],
        "left_out": [
            ((LEFT_OUT | TRANSLATED_LEFT_OUT).get(reason, reason.replace("_", " ")), pairs)
            for reason, pairs in content["left_out"]
        ],
        "language": contents.language_of(release),
        "paraphrases": _paraphrases(labelled),
        **(_judged(settings_of(release), judged) if judged else {}),
        **contents.of_preview(release, content),
    }
