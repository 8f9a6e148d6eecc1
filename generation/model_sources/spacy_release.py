"""Pipelines that spaCy releases as archives, with a published digest."""

import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from generation.model_sources.catalogue import Known
from generation.model_sources.files import Kind, needed
from generation.model_sources.offer import NotFetched, Offer, OfferedFile, Unreachable
from generation.nlp.adapters.digests import file_digest

RELEASES = "https://github.com/explosion/spacy-models/releases/download"
SECONDS_TO_ANSWER = 20


@dataclass(frozen=True, slots=True)
class SpacyRelease:
    """The wheel of a pipeline; the pipeline data is kept, the package's code is not."""

    known: Known

    @property
    def address(self) -> str:
        """The download address of the archive."""
        return f"{RELEASES}/{self._tag}/{self._tag}-py3-none-any.whl"

    def offer(self) -> Offer:
        """Return the archive, with its digest from the catalogue; makes no network request."""
        name = PurePosixPath(self.address).name
        wheel = OfferedFile(name, self.known.megabytes * 1_000_000, self.known.sha256)
        known = self.known
        return Offer(Kind.SPACY, self.address, known.version, known.licence, (wheel,))

    def bring(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Download the archive, verify its digest, and unpack the pipeline. Raises NotFetched."""
        (wheel,) = offer.files
        archive = folder / wheel.name
        self._download(archive)
        if file_digest(archive) != wheel.sha256:
            raise NotFetched(f"{self.address} is not the file that its makers published.")
        _unpack(archive, f"{self.known.name}/{self._tag}/", folder)
        archive.unlink()
        return {wheel.name: wheel.sha256}

    def _download(self, archive: Path) -> None:
        try:
            with (
                urlopen(self.address, timeout=SECONDS_TO_ANSWER) as answer,  # noqa: S310 -- https
                archive.open("wb") as file,
            ):
                copyfileobj(answer, file)
        except HTTPError as error:
            raise NotFetched(f"There is no {self.address} ({error}).") from error
        except (URLError, ConnectionError, TimeoutError) as error:
            raise Unreachable(f"{self.address} did not answer: {error}") from error

    @property
    def _tag(self) -> str:
        return f"{self.known.name}-{self.known.version}"


def _unpack(archive: Path, inside: str, folder: Path) -> None:
    """Extract the needed files below `inside`; the verified digest makes their paths safe."""
    with zipfile.ZipFile(archive) as opened:
        names = [name for name in opened.namelist() if not name.endswith("/")]
        below = [name.removeprefix(inside) for name in names if name.startswith(inside)]
        for name in needed(below, Kind.SPACY):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with opened.open(inside + name) as source, target.open("wb") as file:
                copyfileobj(source, file)
