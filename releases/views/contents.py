"""What is in a release, for readers: its parts in plain words, and rows of pairs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.pairs.differences import pieces
from annotation.pairs.rows import Chip, Row
from annotation.projects.labels import outcome_names
from annotation.runs.method_names import method_name
from annotation.work import judge
from releases.dataset.manifest import Manifest
from releases.dataset.plain_names import OF_LABELS, OF_OTHERS, PlainName, plain_name
from releases.dataset.sample import SIZE
from releases.dataset.translated.files import BACK
from releases.models import Example, Release
from releases.selectors import content
from releases.selectors.published import is_published_set
from releases.selectors.releases import (
    is_translation,
    metadata_of,
    rewritten_corpora,
    scheme_of,
    tables_of,
    translation_settings_of,
)

# Of pairs that were not judged.
LABELS = {1: pgettext_lazy("label", "same"), 0: pgettext_lazy("label", "different")}
# Subsets that are in no split.
WITHOUT_SPLITS = {"low_agreement"}
TEN_PAIRS: dict[str, str | Promise] = {
    "test": _("Ten pairs of the test set"),
    "dev": _("Ten pairs of the dev set"),
    "train": _("Ten pairs of the train set"),
}
FEWER_PAIRS: dict[str, str | Promise] = {
    "test": _("The pairs of the test set"),
    "dev": _("The pairs of the dev set"),
    "train": _("The pairs of the train set"),
}


class Part(NamedTuple):
    """A subset with its pairs, in all and of each split that has any."""

    subset: str
    name: str
    about: str
    splits: list[tuple[str, int]]
    pairs: int


def of_manifest(release: Release, manifest: Manifest) -> dict[str, Any]:
    counts = manifest["counts"]["subsets"]
    sizes: dict[str, dict[str, int]] = {}
    # In the order of the format: Postgres does not keep the order of stored keys.
    for table in tables_of(release):
        of_split = counts.get(table.subset, {}).get(table.split_name, {"pairs": 0})
        sizes.setdefault(table.subset, {})[table.split] = of_split["pairs"]
    return _parts(release, sizes)


def number_of_pairs(release: Release) -> int:
    """Return how many pairs are in the files, from the manifest once they are written."""
    if release.manifest is None:
        return content.examples_in_files(release, {}).count()
    return int(of_manifest(release, release.manifest)["total"])


def of_preview(release: Release, preview: Mapping[str, Any]) -> dict[str, Any]:
    sizes: dict[str, dict[str, int]] = {}
    for part in preview["parts"]:
        sizes.setdefault(part["subset"], {})[part["split"]] = part["pairs"]
    pairs = preview.get("sample", ())
    language = language_of(release)
    project, names = release.project, _label_names(release)
    rows = [
        _row((pair["text1"], pair["text2"]), pair, language=language, project=project, names=names)
        for pair in pairs
    ]
    titled = _sampled(rows, pairs[0]["split"] if pairs else "")
    if is_published_set(release):
        titled["pairs_title"] = gettext("The first pairs of each split")
    return _parts(release, sizes) | titled


def sample(release: Release) -> dict[str, Any]:
    examples = content.sample(release, SIZE)
    return _sampled(rows_of(release, examples), examples[0].split if examples else "")


def rows_of(release: Release, examples: Iterable[Example]) -> list[Row]:
    """Return rows of examples, which were selected with their pairs."""
    languages = {BACK: release.settings.get("source_language", "")}
    language, examples = language_of(release), list(examples)
    tallies, names = content.grade_tallies(release, examples), _label_names(release)
    return [
        _row(
            (example.sentence1, example.sentence2),
            {name: getattr(example, name) for name in ("label", "grade", "votes", "method")},
            tally=_tally(example, tallies),
            language=languages.get(example.subset, language),
            project=release.project,
            names=names,
            address=_address(release, example),
        )
        for example in examples
    ]


def _tally(example: Example, tallies: Mapping[int, Sequence[int]]) -> Sequence[int]:
    """Return the answers by label; those by grade are of the project's own pairs."""
    if example.grade is not None:
        return tallies.get(example.pair_id or 0, ())
    return example.tally or ()


def _label_names(release: Release) -> dict[int | None, str] | None:
    """Return the names of labels other than two sides that a release translates; else None."""
    if not is_translation(release):
        return None
    scheme = translation_settings_of(release).scheme
    if scheme.is_binary:
        return None
    return dict(zip((*scheme.outcome_values, None), (*outcome_names(scheme), ""), strict=True))


def language_of(release: Release) -> str:
    """Return the language of the texts; of a draft, that of the first corpus."""
    if is_translation(release):
        return str(release.settings["language"])
    if is_published_set(release):
        return metadata_of(release).languages[0]
    if language := release.facts.get("language"):
        return str(language)
    corpora = rewritten_corpora(release.project)
    return corpora[0].language if corpora else "en"


def _parts(release: Release, sizes: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    columns = release.settings.get("columns", ())
    if is_published_set(release):  # the labels of a draft may have no meaning yet
        names = OF_OTHERS
    else:
        names = {} if scheme_of(release).is_binary else OF_LABELS
    parts = [
        _part(subset, names.get(subset) or plain_name(subset, columns), splits)
        for subset, splits in sizes.items()
        if any(splits.values())
    ]
    return {"parts": parts, "total": sum(part.pairs for part in parts)}


def _part(subset: str, plain: PlainName, sizes: Mapping[str, int]) -> Part:
    splits = [(split, pairs) for split, pairs in sizes.items() if pairs]
    return Part(
        subset,
        gettext(plain.name),
        gettext(plain.about),
        [] if subset in WITHOUT_SPLITS else splits,
        sum(sizes.values()),
    )


def _sampled(rows: list[Row], split: str) -> dict[str, Any]:
    titles = TEN_PAIRS if len(rows) == SIZE else FEWER_PAIRS
    return {"pair_rows": rows, "pairs_title": titles.get(split, "")}


def _row(
    texts: tuple[str, str],
    values: Mapping[str, Any],
    *,
    language: str,
    project: Project,
    tally: Sequence[int] = (),
    address: str = "",
    names: Mapping[int | None, str] | None = None,
) -> Row:
    """Return the row of a pair; `values` has the label, grade, votes and method.

    Votes are by outcome; where an outcome has several labels, `tally` has those for each label.
    With `names` of labels that the project does not have, the label replaces the votes.
    """
    grade, votes = values["grade"], values["votes"] if names is None else ()
    label = "" if votes else (names or LABELS).get(values["label"], "")
    tally = tally if names is None else ()
    is_named = list(tally).count(max(tally, default=0)) == 1  # next to its votes
    method = values["method"]
    return Row(
        item=None,
        sentences=pieces(*texts),
        languages=[language] * 2,
        address=address,
        tally=tally if grade is not None else tally or votes or (),
        answer=label,
        facts=[*([method_name(method)] if method else []), *_as_published(values)],
        chips=[] if grade is None or is_named else [Chip(_grade_name(grade, project))],
    )


def _as_published(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the split and the published label of a pair that others labelled, in a preview."""
    if label := values.get("published_label"):
        yield values["split"]
        yield gettext("published: %(label)s") % {"label": label}


def _grade_name(grade: int, project: Project) -> str:
    """Return the name of a grade; its number in a project that translates grades of another."""
    choices = judge.choices(project) if project.kinds else ()  # published pairs are not judged
    names = {choice.value: str(choice.name) for choice in choices}
    return names.get(grade, str(grade))


def _address(release: Release, example: Example) -> str:
    pair = example.pair
    if pair is None or pair.project_id != release.project_id:
        return ""
    return reverse("pair", args=[release.project.public_id, pair.public_id])
