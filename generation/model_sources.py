"""Sources of models: the Hugging Face Hub and spaCy's releases."""

import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import httpx2
from huggingface_hub import HfApi, constants, snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.hf_api import ModelInfo, RepoSibling

from generation.errors import GenerationError
from generation.model_catalogue import Known
from generation.nlp.adapters.model_files import Kind, file_digest, files_to_fetch, kind_of

DEFAULT_REVISION = constants.DEFAULT_REVISION
ENDPOINT = constants.ENDPOINT
RELEASES = "https://github.com/explosion/spacy-models/releases/download"
SECONDS_TO_ANSWER = 20


class NotFetched(GenerationError):
    """A model was not fetched; the message says why. No partial files are kept."""


class Unreachable(NotFetched):
    """A source did not respond; the message gives its address."""


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A file at a source: its size in bytes, and its SHA-256 if the source provides one."""

    name: str
    size: int
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model at a source, at one revision: the files to download."""

    kind: Kind
    address: str
    revision: str
    licence: str
    files: tuple[OfferedFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class HubRepository:
    """A Hub repository at a revision: a branch, a tag, or a commit."""

    repository: str
    revision: str = DEFAULT_REVISION

    @property
    def address(self) -> str:
        return f"{ENDPOINT}/{self.repository}"

    def offer(self) -> Offer:
        """Return the model files at the revision's current commit. Raises NotFetched."""
        with _hub_errors(self):
            info = HfApi(endpoint=ENDPOINT).model_info(
                self.repository,
                revision=self.revision,
                files_metadata=True,
                timeout=SECONDS_TO_ANSWER,
            )
        siblings = {sibling.rfilename: sibling for sibling in info.siblings or ()}
        kind = kind_of(siblings)
        names = files_to_fetch(siblings, kind) if kind else []
        if not (kind and names and info.sha):
            raise NotFetched(f"{self.address} holds no model that Pawsmith could load.")
        files = tuple(_offered_file(siblings[name]) for name in names)
        return Offer(kind, self.address, info.sha, _licence(info), files)

    def fetch(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Download and verify the files at the commit of the offer. Raises NotFetched."""
        with _hub_errors(self):
            snapshot_download(
                self.repository,
                revision=offer.revision,
                allow_patterns=[file.name for file in offer.files],
                local_dir=folder,
                endpoint=ENDPOINT,
            )
        shutil.rmtree(folder / ".cache")  # what the client remembers of downloads is no model
        for file in offer.files:
            path = folder / file.name
            has_right_size = path.is_file() and path.stat().st_size == file.size
            if not has_right_size or (file.sha256 and file_digest(path) != file.sha256):
                raise NotFetched(f"{file.name} did not arrive as its source described it.")
        return {}


def _offered_file(sibling: RepoSibling) -> OfferedFile:
    sha256 = sibling.lfs.sha256 if sibling.lfs else ""
    return OfferedFile(sibling.rfilename, sibling.size or 0, sha256)


def _licence(info: ModelInfo) -> str:
    licence = info.card_data.get("license") if info.card_data else None
    return ", ".join(licence) if isinstance(licence, list) else licence or ""


@contextmanager
def _hub_errors(source: HubRepository) -> Iterator[None]:
    """Convert errors of the Hub client into NotFetched or Unreachable."""
    try:
        yield
    except GatedRepoError as error:
        raise NotFetched(
            f"{source.address} is given only to those who have agreed to its terms: agree there, "
            "and set HF_TOKEN to a token of yours."
        ) from error
    except RepositoryNotFoundError as error:
        raise NotFetched(f"There is no model {source.address}, or it is private.") from error
    except RevisionNotFoundError as error:
        raise NotFetched(f"{source.address} has no revision {source.revision}.") from error
    except OfflineModeIsEnabled as error:
        raise Unreachable(
            f"{source.address} was not asked: HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE is set."
        ) from error
    except (HfHubHTTPError, LocalEntryNotFoundError, httpx2.HTTPError) as error:
        raise Unreachable(f"{source.address} did not answer: {error}") from error


@dataclass(frozen=True, slots=True)
class SpacyRelease:
    """The wheel of a pipeline; the pipeline data is kept, the package's code is not."""

    entry: Known

    @property
    def address(self) -> str:
        return f"{RELEASES}/{self._tag}/{self._tag}-py3-none-any.whl"

    def offer(self) -> Offer:
        """Return the archive, with its digest from the catalogue; makes no network request."""
        entry = self.entry
        name = PurePosixPath(self.address).name
        wheel = OfferedFile(name, entry.megabytes * 1_000_000, entry.sha256)
        return Offer(Kind.SPACY, self.address, entry.version, entry.licence, (wheel,))

    def fetch(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Download, verify and unpack the archive, which is not kept. Raises NotFetched."""
        (wheel,) = offer.files
        archive = folder / wheel.name
        self._download(archive)
        if file_digest(archive) != wheel.sha256:
            raise NotFetched(f"{self.address} is not the file that its makers published.")
        _unpack(archive, f"{self.entry.name}/{self._tag}/", folder)
        archive.unlink()
        return {wheel.name: wheel.sha256}

    def _download(self, archive: Path) -> None:
        try:
            with (
                urlopen(self.address, timeout=SECONDS_TO_ANSWER) as answer,  # noqa: S310 -- https
                archive.open("wb") as file,
            ):
                shutil.copyfileobj(answer, file)
        except HTTPError as error:
            raise NotFetched(f"There is no {self.address} ({error}).") from error
        except (URLError, ConnectionError, TimeoutError) as error:
            raise Unreachable(f"{self.address} did not answer: {error}") from error

    @property
    def _tag(self) -> str:
        return f"{self.entry.name}-{self.entry.version}"


def _unpack(archive: Path, prefix: str, folder: Path) -> None:
    """Extract the needed files below `prefix`; the verified digest makes their paths safe."""
    with zipfile.ZipFile(archive) as wheel:
        names = [name for name in wheel.namelist() if not name.endswith("/")]
        inner_names = [name.removeprefix(prefix) for name in names if name.startswith(prefix)]
        for name in files_to_fetch(inner_names, Kind.SPACY):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with wheel.open(prefix + name) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file)
