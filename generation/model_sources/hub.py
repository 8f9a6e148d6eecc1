"""Models on the Hugging Face Hub, or on a mirror set by HF_ENDPOINT."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

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

from generation.model_sources.files import Kind, kind_of, needed
from generation.model_sources.offer import NotFetched, Offer, OfferedFile, Unreachable, verify

DEFAULT_REVISION = constants.DEFAULT_REVISION
ENDPOINT = constants.ENDPOINT
SECONDS_TO_ANSWER = 20


@dataclass(frozen=True, slots=True)
class HubRepository:
    """A Hub repository at a revision: a branch, a tag, or a commit."""

    repository: str
    revision: str = DEFAULT_REVISION
    kind: Kind | None = None

    @property
    def address(self) -> str:
        """The web page of the repository."""
        return f"{ENDPOINT}/{self.repository}"

    def offer(self) -> Offer:
        """Return the model files at the revision's current commit. Raises NotFetched."""
        with _told(self):
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
        with _told(self):
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
def _told(source: HubRepository) -> Iterator[None]:
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
