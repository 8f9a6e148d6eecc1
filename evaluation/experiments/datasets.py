"""A release as models see it: the pairs of each split, and what the release says about each."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from common.draws import draw
from evaluation.contract import Model, Pretrainable
from evaluation.data import Pairs, Unusable, read_columns, read_pairs, refuse_other_labels
from evaluation.experiments.sets import (
    NOTHING,
    SILVER,
    Base,
    Dataset,
    Silver,
    apart,
    labels,
)
from releases.dataset.files import LABELED_FINAL, PAIRS, SENTENCES, ReleaseKind
from releases.dataset.formats import format_of
from releases.dataset.manifest import MANIFEST, Manifest, is_as_described, sha256
from releases.dataset.reader import Unreadable, read_manifest, read_rows, version_of
from releases.dataset.rows import SPLITS, ReleasedPair, SentenceRow

# What tables say of a pair besides its texts and label; not all have all of it.
PUBLISHED_ID, VOTES = "published_id", ("votes0", "votes1")
COLUMNS_READ = ("domain", "method", "kind", "generator", "grade", "entity", PUBLISHED_ID)
SWAP = "labeled_swap/train.tsv"
NOISY_LABEL = "noisy_label"
# A tenth of a base set is its dev set.
BASE_DEV = 10
SAME_LABEL = {0: "no paraphrases", 1: "only paraphrases"}
ONLY = {0: "pairs that are no paraphrases", 1: "paraphrases"}


def read_dataset(folder: Path) -> Dataset:
    """Read a release of pairs or of translations. Raises Unreadable and Unusable.

    Compares its TSV and JSONL files with the manifest; `verify_release` checks everything.
    """
    manifest = read_manifest(folder)
    _refuse_changed(folder, manifest)
    dataset, kind = _read_splits(folder, manifest, SPLITS), format_of(manifest).kind
    if kind is ReleaseKind.RELEASE:
        return replace(dataset, **_read_origins(folder, manifest))
    if kind is ReleaseKind.PUBLISHED:
        paths = [f"{LABELED_FINAL}/{split}.tsv" for split in SPLITS]
        return _with_published_pairs(dataset, _read_cells(folder, manifest, paths, VOTES))
    return dataset


def read_tested(folder: Path) -> Dataset:
    """Read dev and test alone, for a page: without comparing files with the manifest.

    Raises Unreadable and Unusable.
    """
    return _read_splits(folder, read_manifest(folder), SPLITS[1:])


def _read_splits(folder: Path, manifest: Manifest, splits: Sequence[str]) -> Dataset:
    refuse_other_labels(manifest)
    subset = format_of(manifest).labelled
    tables = {split: f"{subset}/{split}.tsv" for split in splits}
    pairs = {split: _read_table(folder, manifest, path) for split, path in tables.items()}
    return Dataset(
        name=str(manifest.get("name", "")),
        version=str(manifest.get("version", "")),
        language=str(manifest.get("language", "")),
        sha256=sha256(folder / MANIFEST),
        simulated=bool(manifest.get("simulated")),
        train=pairs.get("train", NOTHING),
        dev=pairs["dev"],
        test=pairs["test"],
        columns=_read_cells(folder, manifest, tables.values(), COLUMNS_READ),
    )


def _read_origins(folder: Path, manifest: Manifest) -> dict[str, Any]:
    version = version_of(manifest)
    return {
        "swap": _read_table(folder, manifest, SWAP),
        "known": {pair.id: pair for pair in read_rows(folder, PAIRS, version=version)},
        "sentences": tuple(read_rows(folder, SENTENCES, version=version)),
    }


def _with_published_pairs(dataset: Dataset, votes: Mapping[str, Mapping[str, str]]) -> Dataset:
    """Add what the tables of a published set say of its pairs; sentences have texts as ids."""
    methods, entities = (dataset.columns.get(name, {}) for name in ("method", "entity"))
    votes0, votes1 = (votes.get(name, {}) for name in VOTES)
    pairs: dict[str, ReleasedPair] = {}
    sentences: dict[tuple[str, str], SentenceRow] = {}
    for split in SPLITS:
        table = dataset.split(split)
        for key, texts, label in zip(table.ids, table.texts, table.labels.tolist(), strict=True):
            is_voted = bool(votes0.get(key))
            pairs[key] = ReleasedPair(
                key,
                *texts,
                origin="published",
                method=methods.get(key, ""),
                votes=(int(votes0[key]), int(votes1[key])) if is_voted else None,
                label=label,
                split=split,
            )
            group = entities.get(key, "")
            for text in texts:
                row = SentenceRow(text, text, source=text, group=group or None)
                sentences.setdefault((text, group), row)
    return replace(dataset, known=pairs, sentences=tuple(sentences.values()))


def _read_cells(
    folder: Path, manifest: Manifest, paths: Iterable[str], names: Collection[str]
) -> dict[str, dict[str, str]]:
    """Return the cells of those of the named columns that tables have, by id."""
    cells: dict[str, dict[str, str]] = {}
    for path in paths:
        if path in manifest["files"]:
            for name, cells_by_id in read_columns(folder / path, names).items():
                cells.setdefault(name, {}).update(cells_by_id)
    return cells


def _read_table(folder: Path, manifest: Manifest, path: str) -> Pairs:
    return read_pairs(folder / path) if path in manifest["files"] else NOTHING


def _refuse_changed(folder: Path, manifest: Manifest) -> None:
    for path, described in manifest["files"].items():
        if not path.endswith((".tsv", ".jsonl")):
            continue
        if not (folder / path).is_file():
            raise Unreadable(path, "is missing: copy the release again")
        if not is_as_described(folder / path, described):
            raise Unreadable(path, "differs from its checksum in manifest.json: copy it again")


def read_base(path: Path) -> Base:
    """A tenth becomes the dev set, by hash of the texts. Raises Unusable."""
    pairs = read_pairs(path)
    if len(values := labels(pairs)) == 1:
        raise Unusable(
            f"{path} has only {ONLY[min(values)]}, so nothing can be learned from it. Name a file "
            "with pairs of both labels."
        )
    is_dev_of_pair = [draw(0, "base", "\t".join(texts)) % BASE_DEV == 0 for texts in pairs.texts]
    train, dev = (
        [place for place, is_dev in enumerate(is_dev_of_pair) if is_dev is wanted]
        for wanted in (False, True)
    )
    base = Base(path.name, sha256(path), pairs.take(train), pairs.take(dev))
    if not len(base.dev) or len(labels(base.train)) < 2:
        raise Unusable(f"{path}: {len(pairs)} pairs are too few to train on. Name a larger file.")
    return base


def domains(dataset: Dataset) -> tuple[list[Dataset], list[str]]:
    """Return the pairs of each domain as a separate set, the largest first.

    Also returns the names of domains that models cannot be trained and tested on. Raises Unusable
    if fewer than two are left.
    """
    domain_of = dataset.columns.get("domain", {})
    keys = [key for split in SPLITS for key in dataset.split(split).ids]
    counts = Counter(name for key in keys if (name := domain_of.get(key, "")))
    parts = [_domain(dataset, name, domain_of) for name, _ in counts.most_common()]
    usable = [part for part in parts if _is_usable(part)]
    if len(usable) < 2:
        raise Unusable(
            f"{dataset} has no two domains with pairs in train, dev and test. --by domain needs a "
            "column domain in its tables, and both labels in the train set of each domain."
        )
    return usable, [part.part for part in parts if part not in usable]


def _domain(dataset: Dataset, name: str, domain_of: Mapping[str, str]) -> Dataset:
    def pairs_of_domain(pairs: Pairs) -> Pairs:
        return pairs.take([at for at, key in enumerate(pairs.ids) if domain_of.get(key) == name])

    train, dev, test = (pairs_of_domain(dataset.split(split)) for split in SPLITS)
    return replace(dataset, part=name, train=train, dev=dev, test=test, swap=NOTHING)


def _is_usable(dataset: Dataset) -> bool:
    try:
        refuse_unusable(dataset)
    except Unusable:
        return False
    return True


def base_of_release(dataset: Dataset) -> Base:
    """Return another release as a base set. Raises Unusable."""
    refuse_unusable(dataset)
    sets = (dataset.train, dataset.dev, dataset.test)
    return Base(str(dataset), dataset.sha256, *sets)


def refuse_unusable(dataset: Dataset, splits: Sequence[str] = SPLITS) -> None:
    """Raise Unusable if models cannot be trained, chosen or tested on these sets of a release."""
    for split in splits:
        if not len(dataset.split(split)):
            draw = f" Of a published set: import_release --draw {split}=0.1."
            raise Unusable(
                f"{dataset} has no {split} set. Build a version of the release whose "
                f"{', '.join(splits[:-1])} and {splits[-1]} sets all have pairs."
                f"{draw if split != 'train' else ''}"
            )
    if len(values := labels(dataset.train)) < 2:
        raise Unusable(
            f"{dataset}: train has only {ONLY[min(values)]}, so nothing can be learned "
            "from it. In a study of your own, build a version with pairs of both labels; of a "
            "published set, take another one, or draw other splits."
        )


def judged(dataset: Dataset) -> dict[str, ReleasedPair]:
    """Return the pairs that people judged, here or elsewhere, by id; none of a translation."""
    rows = (dataset.known or {}).items()
    return {key: row for key, row in rows if row.origin in ("judged", "published")}


def source_sides(dataset: Dataset, pairs: Pairs) -> list[int | None]:
    """Return for each pair 1 if sentence1 is the source, 0 if sentence2 is, None if unknown."""
    origins = {row.id: row.rewritten_from for row in dataset.sentences}
    rows = dataset.known or {}
    return [_side(rows[key], origins) if key in rows else None for key in pairs.ids]


def _side(pair: ReleasedPair, origins: Mapping[str, str | None]) -> int | None:
    if origins.get(pair.sentence2) == pair.sentence1:
        return 1
    return 0 if origins.get(pair.sentence1) == pair.sentence2 else None


def read_silver(folder: Path, dataset: Dataset, models: Mapping[str, Model]) -> Silver:
    """Read the noisy pairs of a release. Raises Unusable if no model can learn from them."""
    pretrainable = tuple(name for name, model in models.items() if isinstance(model, Pretrainable))
    if not pretrainable:
        raise Unusable(
            f"{', '.join(models)} cannot be trained on noisy labels first. Name another model "
            "with --models, such as bow or esim."
        )
    if not (folder / SILVER).is_file():
        raise Unusable(f"{dataset} has no {SILVER}. Name a release that has it.")
    table = read_pairs(folder / SILVER, label=NOISY_LABEL)
    pairs = apart(table, dataset.dev + dataset.test)
    if len(values := labels(pairs)) < 2:
        what = SAME_LABEL[min(values)] if values else "no pairs"
        raise Unusable(
            f"{dataset}: {SILVER} has {what} without a sentence of dev or test, so nothing can be "
            "learned from it. Leave out --pretrain."
        )
    return Silver(pairs, len(table) - len(pairs), pretrainable)
