"""Verifies a release by recomputing everything from its files alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeAlias

from releases.dataset.alternative import Model, model_tests
from releases.dataset.answer_rules import model_labels_follow
from releases.dataset.checks import (
    description_differences,
    file_differences,
    parquet_differences,
    part_differences,
    row_number_differences,
)
from releases.dataset.corpora import taken_out_of
from releases.dataset.files import PAIRS, ReleaseKind, format_names
from releases.dataset.folders import unpack
from releases.dataset.formats import format_of, with_settings
from releases.dataset.graded import AGREEMENT
from releases.dataset.manifest import MANIFEST
from releases.dataset.models import model_differences
from releases.dataset.plan import ReleasePlan, plan
from releases.dataset.published import verification as published
from releases.dataset.reader import (
    Difference,
    ReadRelease,
    Unreadable,
    first_differences,
    read_manifest,
    read_release,
    read_settings,
    read_tsv,
)
from releases.dataset.rows import PairRow, ReleasedPair
from releases.dataset.rules import REFERENCES, RULES
from releases.dataset.shape import measure_shape
from releases.dataset.shared_words import measure_overlap
from releases.dataset.translated import verification as translated

# Takes the folder and its source, if that is given, and yields the differences.
Verifier: TypeAlias = Callable[[Path, Path | None], Iterator[Difference]]
# Of formats that upper rooms write, by name: they register here in their `apps.py`.
VERIFIERS: dict[str, Verifier] = {}
# Fields of pairs that follow from the answers to the pair alone.
DECIDED = {"votes", "tally", "first", "label", "kept"}
# One false answer changes the model's probabilities of all pairs: a few show that.
MOST_OF_MODEL = 3
# Counts of a manifest that only the study knows.
IN_NO_FILE = ("raw", "excluded", "unlabeled_estimated", "reopened", "reopened_because")


def verify(release: Path, source: Path | None = None) -> list[Difference]:
    """Return the differences in a release, a folder or its .tar.gz; empty if it is valid."""
    with unpack(release) as folder:
        return list(differences(folder, source))


def _open_source(source: Path | None) -> AbstractContextManager[Path | None]:
    """Open a source; that of a ranking may be a table."""
    return nullcontext(source) if source is None or source.suffix == ".tsv" else unpack(source)


def differences(folder: Path, source: Path | None = None) -> Iterator[Difference]:
    """Yield all differences; later checks depend on earlier ones."""
    try:
        manifest = read_manifest(folder, *format_names(), *VERIFIERS)
        if verifier := VERIFIERS.get(manifest["format"]):
            with _open_source(source) as origin:
                yield from verifier(folder, origin)
            return
        files = format_of(manifest)
        if files.kind is ReleaseKind.RELEASE:
            files = with_settings(files, read_settings(manifest))
        yield from first_differences(
            file_differences(folder, manifest, required=files.required, known=files.known)
        )
        yield from first_differences(model_differences(folder, manifest))
        if files.kind is ReleaseKind.RELEASE:
            yield from content_differences(read_release(folder))
        elif files.kind is ReleaseKind.PUBLISHED:
            yield from published.content_differences(folder, manifest, source)
        else:
            with _open_source(source) as origin:
                yield from translated.content_differences(folder, manifest, origin)
    except Unreadable as error:
        yield error.difference


def content_differences(release: ReadRelease) -> Iterator[Difference]:
    """Yield the differences between readable files, causes first. Raises Unreadable."""
    broken_references = [
        difference for rule in REFERENCES for difference in first_differences(rule(release))
    ]
    yield from broken_references
    if broken_references:
        return
    yield from release.found
    for rule in RULES:
        yield from first_differences(rule(release))
    yield from first_differences(parquet_differences(release.folder, release.tables))
    files = with_settings(format_of(release.manifest), release.settings)
    yield from first_differences(
        description_differences(release.folder, release.manifest, files.tables, files.line_files)
    )
    try:
        planned = plan_again(release)
    except ValueError as error:
        yield Difference(MANIFEST, f"the settings cannot be followed: {error}")
        return
    yield from first_differences(pair_differences(release, planned))
    yield from first_differences(manifest_differences(release, planned))
    yield from first_differences(model_labels_follow(release), most=MOST_OF_MODEL)


def manifest_differences(release: ReadRelease, planned: ReleasePlan) -> Iterator[Difference]:
    expected = {
        "seed": release.settings.seed,
        "settings": release.settings.to_dict(),
        "simulated": release.counts.simulated > 0,
    }
    yield from part_differences(release.manifest["counts"], expected_counts(release, planned))
    # Other top-level keys are in no other file; the counts must be complete.
    yield from part_differences({key: release.manifest.get(key) for key in expected}, expected)
    yield from row_number_differences(release.folder, release.manifest)


def expected_counts(release: ReadRelease, planned: ReleasePlan) -> dict[str, Any]:
    """Return the expected counts; those that no other file has are taken from the manifest."""
    stated = release.manifest["counts"]
    for pair in silver_pairs(release):
        release.counts.add_pair(pair)
    return release.counts.to_dict(
        {name: stated[name] for name in IN_NO_FILE if name in stated}
        | {
            "conflicts": planned.totals["conflicts"],
            "unknown": planned.totals["unknown"],
            "unlabeled_left_out": stated.get("unlabeled_left_out"),
            "easy": planned.totals["easy"],
            "groups": dict(planned.groups) if "groups" in stated else {},
            "overlap": measure_overlap(planned.pairs, release.language)
            if "overlap" in stated
            else {},
            "shape": _shape(release, planned) if "shape" in stated else {},
            **(planned.grades if AGREEMENT in stated else {}),
        },
        rejected=stated.get("corrections", {}).get("reject"),
        runs=release.manifest.get("runs", ()),
        model_tests=_model_tests(release),
        taken_out=taken_out_of(stated.get("corpora", {})),
    )


def _shape(release: ReadRelease, planned: ReleasePlan) -> dict[str, Any]:
    sees_lists = release.settings.layout > 4
    return measure_shape(planned.pairs, release.language, sees_lists=sees_lists)


def _model_tests(release: ReadRelease) -> dict[Model, dict[str, Any]]:
    """Test the models again, if the manifest has tests: older releases have none."""
    counts = release.manifest["counts"]
    models = counts.get("model_judgments")
    is_told = isinstance(models, list) and any(
        isinstance(model, dict) and "alternative" in model for model in models
    )
    if not is_told or not release.counts.model_judgments:
        return {}
    return model_tests(release.folder, release.settings, _judged_again(counts))


def _judged_again(counts: Mapping[str, Any]) -> dict[Model, int]:
    """Return pairs judged again, by the model that disagreed. Raises Unreadable."""
    try:
        rows = counts.get("reopened_because", ())
        return {(row["model"], row["revision"]): row["pairs"] for row in rows}
    except (KeyError, TypeError) as error:
        raise Unreadable(MANIFEST, "reopened_because is not a list of models with pairs") from error


def silver_pairs(release: ReadRelease) -> Iterator[ReleasedPair]:
    """Yield the rows of unlabeled_final, with only the fields that are counted."""
    for table in release.tables:
        if table.subset == "unlabeled_final":
            for row in read_tsv(release.folder, table):
                cells: dict[str, Any] = dict(zip(table.names, row, strict=True))
                pair = ReleasedPair(cells["id"], "", "", "silver", label=cells["noisy_label"])
                yield pair._replace(
                    subset=table.subset, split=table.split, domain=cells.get("domain")
                )


def plan_again(release: ReadRelease) -> ReleasePlan:
    """Plan the release again from its files. Raises ValueError for impossible settings."""
    values = release.settings.scheme.outcome_values
    outcomes = {value: place for place, value in enumerate(values)}
    judged = (
        PairRow(
            pair.id,
            pair.sentence1,
            pair.sentence2,
            pair.method,
            release.tallies[pair.id],
            # As stated: `model_labels_follow` checks them, within a tolerance.
            None if pair.model_label is None else outcomes.get(pair.model_label),
            pair.model_share,
            release.first_tallies.get(pair.id),
            pair.own_id,
        )
        for pair in release.pairs
        if pair.origin == "judged"
    )
    return plan(
        release.sentences,
        judged,
        settings=release.settings,
        generators=release.generators,
        model_labels=release.model_labels,
        version=release.version,
    )


def pair_differences(release: ReadRelease, planned: ReleasePlan) -> Iterator[Difference]:
    """Yield the differences of pairs: changed fields, pairs too many, missing ones, the order."""
    path = PAIRS.path
    if planned.pairs == tuple(release.pairs):
        return
    pairs_left = {pair.id: pair for pair in planned.pairs}
    changed, added = [], []
    for line, pair in enumerate(release.pairs, start=1):
        if (expected_pair := pairs_left.pop(pair.id, None)) is None:
            added.append(Difference(path, f"{pair.id} should not be there", line))
        elif pair != expected_pair:
            changed.append((line, pair, expected_pair))
    yield from field_differences(changed)
    yield from added
    yield from (Difference(path, f"{key} is missing") for key in pairs_left)
    if sorted(release.pairs, key=lambda pair: pair.id) == list(planned.pairs):
        yield Difference(path, "the pairs are in another order")


def field_differences(
    changed: Sequence[tuple[int, ReleasedPair, ReleasedPair]],
) -> Iterator[Difference]:
    """Yield the fields that differ in pairs, given as line, pair and what it should be.

    Those in DECIDED come first: other ones follow from them.
    """
    for name in sorted(ReleasedPair._fields, key=lambda name: name not in DECIDED):
        for line, pair, expected_pair in changed:
            value, expected = getattr(pair, name), getattr(expected_pair, name)
            if value != expected:
                what = f"{name} of {pair.id} is {value!r}, not {expected!r}"
                yield Difference(PAIRS.path, what, line)
