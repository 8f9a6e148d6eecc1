"""The sources of models: local folders, the Hugging Face Hub, and spaCy's releases."""

import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
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

from generation.model_sources.catalogue import Known
from generation.model_sources.offers import (
    Kind,
    NotFetched,
    Offer,
    OfferedFile,
    Unreachable,
    kind_of,
    needed,
    verify,
)
from generation.model_store import ModelRecord
from generation.nlp.adapters.model_files import file_digest, file_sizes

DEFAULT_REVISION = constants.DEFAULT_REVISION
ENDPOINT = constants.ENDPOINT
RELEASES = "https://github.com/explosion/spacy-models/releases/download"
SECONDS_TO_ANSWER = 20


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with the files of a model; links in it are followed.

    Revision, source and licence are taken from its record unless given here.
    """

    path: Path
    revision: str = ""
    licence: str = ""
    kind: Kind | None = None

    def offer(self) -> Offer:
        """Return the model files in the folder. Raises NotFetched, or MissingModel."""
        if not self.path.is_dir():
            raise NotFetched(f"There is no folder {self.path}.")
        sizes = file_sizes(self.path)
        kind = self.kind or kind_of(sizes)
        names = needed(sizes, kind) if kind else []
        if not (kind and names):
            raise NotFetched(
                f"{self.path} holds no model that Pawsmith could load: neither a spaCy pipeline "
                "(meta.json, config.cfg) nor one of transformers (config.json and weights)."
            )
        files = tuple(OfferedFile(name, sizes[name]) for name in names)
        offer = Offer(kind, str(self.path), self.revision, self.licence, files)
        if not (record := ModelRecord.read(self.path)):
            return offer
        if changed := record.changes(self.path):
            raise NotFetched(f"{self.path} is not as it was fetched, first {changed[0]}.")
        return replace(
            offer,
            address=record.source,
            revision=offer.revision or record.revision,
            licence=offer.licence or record.licence,
        )

    def bring(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Copy and verify the files. Raises NotFetched."""
        for file in offer.files:
            target = folder / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.path / file.name, target)
        verify(offer.files, folder)
        record = ModelRecord.read(self.path)
        return record.converted if record else {}


@dataclass(frozen=True, slots=True)
class HubRepository:
    """A Hub repository at a revision: a branch, a tag, or a commit."""

    repository: str
    revision: str = DEFAULT_REVISION
    kind: Kind | None = None

    @property
    def address(self) -> str:
        return f"{ENDPOINT}/{self.repository}"

    def offer(self) -> Offer:
        """Return the model files at the revision's current commit. Raises NotFetched."""
        with _hub_errors(self):
            found = HfApi(endpoint=ENDPOINT).model_info(
                self.repository,
                revision=self.revision,
                files_metadata=True,
                timeout=SECONDS_TO_ANSWER,
            )
        siblings = {sibling.rfilename: sibling for sibling in found.siblings or ()}
        kind = self.kind or kind_of(siblings)
        names = needed(siblings, kind) if kind else []
        if not (kind and names and found.sha):
            raise NotFetched(f"{self.address} holds no model that Pawsmith could load.")
        files = tuple(_offered(siblings[name]) for name in names)
        return Offer(kind, self.address, found.sha, _licence(found), files)

    def bring(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Download and verify the files at the commit of the offer. Raises NotFetched."""
        with _hub_errors(self):
            snapshot_download(
                self.repository,
                revision=offer.revision,
                allow_patterns=[file.name for file in offer.files],
                local_dir=folder,
                endpoint=ENDPOINT,
            )
        shutil.rmtree(folder / ".cache")
        verify(offer.files, folder)
        return {}


def _offered(sibling: RepoSibling) -> OfferedFile:
    sha256 = sibling.lfs.sha256 if sibling.lfs else ""
    return OfferedFile(sibling.rfilename, sibling.size or 0, sha256)


def _licence(found: ModelInfo) -> str:
    licence = found.card_data.get("license") if found.card_data else None
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

    known: Known

    @property
    def address(self) -> str:
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
