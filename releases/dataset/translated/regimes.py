"""The regimes of PAWS-X Table 3: which files train, select and test a model for each language.

    for regime in regimes(Path("paws-1.0"), [Path("paws-de-1.0"), Path("paws-fr-1.0")]):
        print(regime.name, regime.language, regime.train, regime.dev, regime.test)

The source release is in one language, each translation in another one. The source language has no
translations: it is trained on its own train ("translate_train") and on all of them ("merged").
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from releases.dataset.files import LABELED_FINAL, ReleaseKind, format_names
from releases.dataset.manifest import MANIFEST, sha256
from releases.dataset.reader import read_manifest, read_tsv
from releases.dataset.rows import Split
from releases.dataset.sources import labelled
from releases.dataset.translated import files
from releases.dataset.translated.reader import read_settings
from releases.dataset.translated.rows import RegimeName

# Pairs of one are never in the other.
COMPARED: tuple[Split, ...] = ("train", "test")


@dataclass(frozen=True, slots=True)
class Regime:
    """The TSV files of a regime for one language.

    The checkpoint with the best accuracy on `dev`, the mean over its files, is tested. `missing`
    are the files that a release does not have, such as train without machine translations.
    """

    name: RegimeName
    language: str
    train: tuple[Path, ...]
    dev: tuple[Path, ...]
    test: Path

    @property
    def missing(self) -> tuple[Path, ...]:
        return tuple(path for path in (*self.train, *self.dev, self.test) if not path.exists())


@dataclass(frozen=True, slots=True)
class Folder:
    """A release by its language, its main subset, and the ids of its pairs."""

    path: Path
    language: str
    subset: str
    ids: Mapping[Split, set[str]]

    def file(self, split: Split, subset: str = "") -> Path:
        return self.path / (subset or self.subset) / f"{split}.tsv"


def regimes(source: Path, translations: Iterable[Path]) -> list[Regime]:
    """Return every regime for every language, the source language first.

    Raises ValueError if a folder is no translation of this source, if a language comes twice, or
    if a pair of a test set is in a file to train on; and Unreadable.
    """
    origin = _source_folder(source)
    targets = [_translation_folder(folder, origin) for folder in translations]
    languages = [folder.language for folder in (origin, *targets)]
    if len({*languages}) < len(languages):
        raise ValueError(f"Name one folder for each language, not {', '.join(languages)}.")
    _refuse_test_pairs_in_train([origin, *targets])
    target_regimes = chain.from_iterable(_target_regimes(origin, target) for target in targets)
    return [_translate_train_regime(origin), *target_regimes, *_merged_regimes([origin, *targets])]


def _target_regimes(origin: Folder, target: Folder) -> Iterator[Regime]:
    train, dev, test = (origin.file("train"),), (origin.file("dev"),), target.file("test")
    yield _translate_train_regime(target)
    back = target.file("dev", files.BACK), target.file("test", files.BACK)
    yield Regime(RegimeName.TRANSLATE_TEST, target.language, train, back[:1], back[1])
    yield Regime(RegimeName.ZERO_SHOT, target.language, train, dev, test)


def _translate_train_regime(of: Folder) -> Regime:
    train, dev = (of.file("train"),), (of.file("dev"),)
    return Regime(RegimeName.TRANSLATE_TRAIN, of.language, train, dev, of.file("test"))


def _merged_regimes(folders: Sequence[Folder]) -> list[Regime]:
    train, dev = (tuple(folder.file(split) for folder in folders) for split in ("train", "dev"))
    return [
        Regime(RegimeName.MERGED, folder.language, train, dev, folder.file("test"))
        for folder in folders
    ]


def _source_folder(folder: Path) -> Folder:
    manifest = read_manifest(folder)
    if manifest["format"] in format_names(ReleaseKind.TRANSLATION):
        raise ValueError(f"{folder} is a translation. Name its source first, then translations.")
    ids = {split: {pair.id for pair in labelled(folder, [split])} for split in COMPARED}
    return Folder(folder, manifest["language"], LABELED_FINAL, ids)


def _translation_folder(folder: Path, origin: Folder) -> Folder:
    settings = read_settings(read_manifest(folder, *format_names(ReleaseKind.TRANSLATION)))
    if settings.source.sha256 != sha256(origin.path / MANIFEST):
        raise ValueError(
            f"{folder} translates {settings.source.name} {settings.source.version}, not "
            f"{origin.path}. Name the release that was translated."
        )
    tables = {split: files.BY_PLACE[files.TRANSLATED, split] for split in COMPARED}
    ids = {
        split: {str(key) for key, *_ in read_tsv(folder, table)}
        for split, table in tables.items()
        if (folder / table.tsv).exists()
    }
    return Folder(folder, settings.language, files.TRANSLATED, ids)


def _refuse_test_pairs_in_train(releases: Iterable[Folder]) -> None:
    """Check by ids, which all languages share. Raises ValueError."""
    folders = list(releases)
    folder_of_test_pair = {
        key: folder.path for folder in folders for key in folder.ids.get("test", ())
    }
    for folder in folders:
        if shared := sorted(folder_of_test_pair.keys() & folder.ids.get("train", set())):
            raise ValueError(
                f"{folder.file('train')} has the pair {shared[0]} of the test set of "
                f"{folder_of_test_pair[shared[0]]}."
            )
