"""The paraphrases that a ranking is made of: of a release, or of a TSV file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.data import Pairs, Unusable, read_pairs, refuse_other_labels
from releases.dataset.files import LABELED_FINAL
from releases.dataset.folders import unpack
from releases.dataset.formats import WITH_LABELED_FINAL
from releases.dataset.manifest import MANIFEST, sha256
from releases.dataset.reader import Unreadable, read_manifest
from releases.dataset.sources import labelled

TABLE = f"{LABELED_FINAL}/{{split}}.tsv"
# Ends the message about an unreadable release where a table is accepted too.
OR_TABLE = ", or a .tsv file of pairs"


@dataclass(frozen=True, slots=True)
class Source:
    """Labelled pairs with what is known of where they are from.

    `identity` has the name, version, language and licence of a release and the SHA-256 of its
    manifest, or the name and SHA-256 of a TSV file.
    """

    pairs: Pairs
    identity: dict[str, str]

    @property
    def positives(self) -> list[tuple[str, str, str]]:
        paraphrases = self.pairs.take(np.flatnonzero(self.pairs.labels == 1))
        return list(zip(paraphrases.ids, paraphrases.first, paraphrases.second, strict=True))

    @property
    def language(self) -> str:
        return language_of(self.identity)


def language_of(identity: Mapping[str, Any]) -> str:
    """Return the language of a source; that of a TSV file is taken for English."""
    return str(identity.get("language", "en"))


def read_source(path: Path, *, split: str = "test") -> Source:
    """Read a split of a release, which is a folder or a .tar.gz, or a TSV file. Raises Unusable."""
    if path.suffix == ".tsv":
        pairs = read_pairs(path)
        if len(set(pairs.ids)) < len(pairs):
            raise Unusable(f"{path}: two lines have the same id.")
        return Source(pairs, {"name": path.name, "sha256": sha256(path)})
    try:
        with unpack(path) as folder:
            return _source_of_release(folder, split)
    except Unreadable as error:
        raise Unusable(f"{path} {error.difference.what}{OR_TABLE}.") from error


def _source_of_release(folder: Path, split: str) -> Source:
    table = TABLE.format(split=split)
    try:
        manifest = read_manifest(folder, *WITH_LABELED_FINAL)
    except Unreadable as error:
        raise Unusable(f"{error.difference}. Name a release of pairs{OR_TABLE}.") from error
    refuse_other_labels(manifest)
    if table not in manifest["files"] or not (folder / table).exists():
        raise Unusable(f"The release has no {table}: name another split.")
    if manifest["files"][table]["sha256"] != sha256(folder / table):
        raise Unusable(f"{table} is not as {MANIFEST} describes it: run verify_release first.")
    facts = {key: str(manifest[key]) for key in ("name", "version", "language", "licence")}
    pairs = Pairs.from_rows(pair[1:] for pair in labelled(folder, [split]))
    return Source(pairs, facts | {"sha256": sha256(folder / MANIFEST)})
