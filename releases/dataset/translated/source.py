"""The release that was translated, as far as its translations follow from it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from releases.dataset.files import LABELED_FINAL, ReleaseKind, format_names
from releases.dataset.formats import WITH_LABELED_FINAL, format_of
from releases.dataset.manifest import MANIFEST, Manifest, is_as_described, sha256
from releases.dataset.published.pairs import sentence_id
from releases.dataset.reader import Difference, Unreadable, read_manifest, read_release
from releases.dataset.rows import ReleasedPair
from releases.dataset.sources import labelled
from releases.dataset.translated import files

NAME = "Name the release that was translated with --source"
COPY = "Copy the source release again from where it was published"
LOOK = "Verify the source by itself: that names the lines. Then copy it again"


@dataclass(frozen=True, slots=True)
class SourceRelease:
    """A release with its sentences by their ids, and the pairs of labeled_final in its order."""

    manifest: Manifest
    texts: Mapping[str, str]
    pairs: Sequence[ReleasedPair]


def mismatches(folder: Path, translated: files.SourceRelease) -> Iterator[Difference]:
    """Yield why a folder is not, byte for byte, the release that was translated."""
    place = f"source: {MANIFEST}"
    try:
        manifest = read_manifest(folder, *format_names())
    except Unreadable as error:
        yield Difference(place, f"{error.difference.what}. {NAME}")
        return
    title = f"{manifest.get('name')} {manifest.get('version')}"
    expected = f"{translated.name} {translated.version}"
    digest = sha256(folder / MANIFEST)
    if title != expected:
        yield Difference(place, f"is of {title}, but {expected} was translated. {NAME}")
    elif digest != translated.sha256:
        what = f"has the SHA-256 {digest}, the release that was translated {translated.sha256}"
        yield Difference(place, f"{what}. {COPY}")
    else:
        yield from _changed_files(folder, manifest)


def _changed_files(folder: Path, manifest: Manifest) -> Iterator[Difference]:
    for path, entry in manifest["files"].items():
        if not (folder / path).is_file():
            yield Difference(f"source: {path}", f"is missing. {COPY}")
        elif not is_as_described(folder / path, entry):
            what = "has another checksum or size than in the manifest"
            yield Difference(f"source: {path}", f"{what}. {LOOK}")


def read_source(folder: Path) -> SourceRelease:
    """Read a release of pairs, of our own or published elsewhere. Raises Unreadable."""
    manifest = read_manifest(folder, *WITH_LABELED_FINAL)
    if format_of(manifest).kind is ReleaseKind.PUBLISHED:
        pairs = list(_published_pairs(folder, manifest["name"]))
        ends = ((pair.sentence1, pair.text1, pair.sentence2, pair.text2) for pair in pairs)
        texts = {
            key: text
            for one, text1, two, text2 in ends
            for key, text in ((one, text1), (two, text2))
        }
        return SourceRelease(manifest, texts, pairs)
    release = read_release(folder)
    texts = {row.id: row.text for row in release.sentences}
    pairs = [pair for pair in release.pairs if pair.subset == LABELED_FINAL]
    return SourceRelease(release.manifest, texts, pairs)


def _published_pairs(folder: Path, name: str) -> Iterator[ReleasedPair]:
    for pair in labelled(folder):
        yield ReleasedPair(
            id=pair.id,
            sentence1=sentence_id(name, pair.sentence1),
            sentence2=sentence_id(name, pair.sentence2),
            origin="published",
            via=(),
            method="",
            votes=None,
            label=pair.label,
            kept=True,
            subset="labeled_final",
            split=pair.split,
            text1=pair.sentence1,
            text2=pair.sentence2,
        )
