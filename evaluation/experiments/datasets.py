"""A release as models see it: the pairs of each split, and what the release says about each."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from common.draws import draw
from evaluation.contract import Model, Pretrainable
from evaluation.data import Pairs, Unusable, read_columns, read_pairs
from releases.dataset.files import PAIRS, SENTENCES, ReleaseKind
from releases.dataset.formats import format_of
from releases.dataset.manifest import MANIFEST, Manifest, is_as_described, sha256
from releases.dataset.reader import Unreadable, read_manifest, read_rows, version_of
from releases.dataset.rows import ReleasedPair, SentenceRow
from releases.dataset.texts import same

SPLITS = ("train", "dev", "test")
# What tables say of a pair beside its texts and label; not all have all of it.
PUBLISHED_ID = "published_id"
TOLD = ("domain", "method", "kind", "generator", "grade", "entity", PUBLISHED_ID)
SWAP, SILVER = "labeled_swap/train.tsv", "unlabeled_final/train.tsv"
NOISY_LABEL = "noisy_label"
# A tenth of a base set is its dev set.
BASE_DEV = 10
SAME_LABEL = {0: "no paraphrases", 1: "only paraphrases"}
ONLY = {0: "pairs that are no paraphrases", 1: "paraphrases"}
NOTHING = Pairs.from_rows([])


@dataclass(frozen=True, eq=False)
class Dataset:
    """The labelled pairs of a release. `known` has the rows of pairs.jsonl by id.

    Releases of translations have neither `known` nor `sentences`, which are of their source.
    `columns` has the further columns of the tables (TOLD): the cell of each pair by its id.
    `kinds` has the kind of change of each pair of dev and test by id, where it was looked for
    (`changes`).
    """

    name: str
    version: str
    language: str
    sha256: str
    simulated: bool
    train: Pairs
    dev: Pairs
    test: Pairs
    swap: Pairs = NOTHING
    known: Mapping[str, ReleasedPair] | None = None
    sentences: tuple[SentenceRow, ...] = ()
    kinds: Mapping[str, str] | None = None
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    # The domain whose pairs these are, if not all of the release.
    part: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}" + (f", {self.part}" if self.part else "")

    @property
    def identity(self) -> dict[str, Any]:
        """The release in JSON; `sha256` is of its manifest, which has that of every file."""
        names = ("name", "version", "language", "sha256", "simulated")
        return {name: getattr(self, name) for name in names}

    def split(self, name: str) -> Pairs:
        pairs: Pairs = getattr(self, name)
        return pairs


@dataclass(frozen=True, eq=False)
class Base:
    """Another set to train on, such as Quora Question Pairs.

    A tenth of a file is its dev set; a release has its own, and a test set.
    """

    name: str
    sha256: str
    train: Pairs
    dev: Pairs
    test: Pairs = NOTHING

    @property
    def identity(self) -> dict[str, Any]:
        sizes = {"train": len(self.train), "dev": len(self.dev)}
        sizes |= {"test": len(self.test)} if len(self.test) else {}
        return {"name": self.name, "sha256": self.sha256, **sizes}


@dataclass(frozen=True, eq=False)
class Silver:
    """Noisy pairs of a release, how many were left out, and the models that learn from them first.

    Left out are pairs with a sentence of dev or test.
    """

    pairs: Pairs
    left_out: int
    models: tuple[str, ...]

    @property
    def identity(self) -> dict[str, Any]:
        """What the pairs are, in JSON; the digest of the release has that of their table."""
        return {"table": SILVER, "pairs": len(self.pairs), "left_out": self.left_out}


def read_dataset(folder: Path) -> Dataset:
    """Read a release of pairs or of translations. Raises Unreadable and Unusable.

    Compares its TSV and JSONL files with the manifest; `verify_release` checks everything.
    """
    manifest = read_manifest(folder)
    _refuse_changed(folder, manifest)
    has_origins = format_of(manifest).kind is ReleaseKind.RELEASE
    origins = _read_origins(folder, manifest) if has_origins else {}
    return replace(_read_splits(folder, manifest, SPLITS), **origins)


def read_tested(folder: Path) -> Dataset:
    """Read dev and test alone, for a page: without comparing files with the manifest.

    Raises Unreadable and Unusable.
    """
    return _read_splits(folder, read_manifest(folder), SPLITS[1:])


def _read_splits(folder: Path, manifest: Manifest, splits: Sequence[str]) -> Dataset:
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
        columns=_read_told(folder, manifest, tables.values()),
    )


def _read_origins(folder: Path, manifest: Manifest) -> dict[str, Any]:
    version = version_of(manifest)
    return {
        "swap": _read_table(folder, manifest, SWAP),
        "known": {pair.id: pair for pair in read_rows(folder, PAIRS, version=version)},
        "sentences": tuple(read_rows(folder, SENTENCES, version=version)),
    }


def _read_told(folder: Path, manifest: Manifest, paths: Iterable[str]) -> dict[str, dict[str, str]]:
    cells: dict[str, dict[str, str]] = {}
    for path in paths:
        if path in manifest["files"]:
            for name, cells_by_id in read_columns(folder / path, TOLD).items():
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
    """Return the pairs of each domain as a set of its own, the largest first.

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


def refuse_unusable(dataset: Dataset) -> None:
    """Raise Unusable if models cannot be trained, chosen or tested on a release."""
    for split in SPLITS:
        if not len(dataset.split(split)):
            raise Unusable(
                f"{dataset} has no {split} set. Build a version of the release whose train, dev "
                "and test sets all have pairs."
            )
    if len(values := labels(dataset.train)) < 2:
        raise Unusable(
            f"{dataset}: train has only {ONLY[min(values)]}, so nothing can be learned "
            "from it. Build a version with pairs of both labels."
        )


def judged(dataset: Dataset) -> dict[str, ReleasedPair]:
    """Return the pairs that people judged, by id; none of a release of translations."""
    return {key: row for key, row in (dataset.known or {}).items() if row.origin == "judged"}


def source_sides(dataset: Dataset, pairs: Pairs) -> list[int | None]:
    """Return for each pair 1 if sentence1 is the source, 0 if sentence2 is, None if unknown."""
    origins = {row.id: row.rewritten_from for row in dataset.sentences}
    rows = dataset.known or {}
    return [_side(rows[key], origins) if key in rows else None for key in pairs.ids]


def _side(pair: ReleasedPair, origins: Mapping[str, str | None]) -> int | None:
    if origins.get(pair.sentence2) == pair.sentence1:
        return 1
    return 0 if origins.get(pair.sentence1) == pair.sentence2 else None


def labels(pairs: Pairs) -> set[int]:
    return {int(label) for label in set(pairs.labels.tolist())}


def texts(pairs: Pairs) -> dict[str, str]:
    """Return a text of each sentence of the pairs, by `same`; no empty ones."""
    return {same(text): text for text in {*pairs.first, *pairs.second} if text.strip()}


def shared(some: Pairs, others: Pairs) -> list[str]:
    """Return the sentences that two sets share, in alphabetical order, as `some` writes them."""
    ours = texts(some)
    return sorted(ours[key] for key in ours.keys() & texts(others).keys())


def together(parts: Iterable[Pairs]) -> Pairs:
    return sum(parts, start=NOTHING)


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


def apart(pairs: Pairs, others: Pairs) -> Pairs:
    """Return the pairs that share no sentence (`same`) with the others."""
    keys = {*texts(others)}
    apart = (keys.isdisjoint(map(same, sentences)) for sentences in pairs.texts)
    return pairs.take([at for at, is_apart in enumerate(apart) if is_apart])
