"""Fetches models: completely or not at all, with a record of their identity."""

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from pickle import UnpicklingError
from typing import TypeAlias

from filelock import lock_descriptor

from common.outages import heartbeat
from common.program import PROGRAM, install_command
from generation.model_catalogue import find_model, packaged_translator
from generation.model_sources import (
    DEFAULT_REVISION,
    HubRepository,
    NotFetched,
    Offer,
    SpacyRelease,
)
from generation.model_store import ModelRecord, folder_of, models_folder, names_here, place_of
from generation.nlp.adapters import model_files
from generation.nlp.adapters.model_files import RECORD, file_digest, file_sizes, pickled
from generation.packaged_models import PackagedFile, PackagedFolder

Source: TypeAlias = HubRepository | SpacyRelease | PackagedFile | PackagedFolder

PREFIX = ".fetching-"  # model names never begin with a full stop
# A process that fetches holds the lock of its folder.
LOCK = "lock"
ABANDONED_SECONDS = 24 * 3600
REPORT_SECONDS = 5.0


def source_of(name: str, *, revision: str = "") -> Source:
    """Return the source of a model: from the catalogue, or the Hub repository of that name.

    Raises NotFetched for a name that cannot be fetched.
    """
    model = find_model(name)
    if model and model.version:
        if revision not in ("", model.version):
            raise NotFetched(f"Pawsmith can fetch only version {model.version} of {name}.")
        if packaged_translator(name):
            return PackagedFolder(model)
        return PackagedFile(model) if model.package else SpacyRelease(model)
    repository = model.repository if model and model.repository else name
    if repository.count("/") != 1:
        raise NotFetched(
            f"Pawsmith does not know the model {name}. Name it organisation/model, as on the "
            f"Hugging Face Hub, or list what it knows: {PROGRAM} fetch_models"
        )
    return HubRepository(repository, revision or DEFAULT_REVISION)


def installed_record(name: str) -> ModelRecord | None:
    """Return the record of an installed model, or None if it has no folder.

    Raises MissingModel for an invalid name or record, NotFetched if the folder has no record.
    """
    folder = place_of(name)
    if not folder.is_dir():
        return None
    if (record := ModelRecord.read(folder)) is None:
        raise NotFetched(
            f"{folder} is there, but was not fetched. It can be used as it is, known by the "
            "SHA-256 of its files; to fetch it, move the folder away first."
        )
    return record


def fetch(
    name: str, source: Source, offer: Offer, *, say: Callable[[str], None] = lambda _text: None
) -> ModelRecord:
    """Fetch an offered model and install it under this name; report the progress every few seconds.

    The files are collected in a temporary folder, which is renamed at the end. Raises NotFetched,
    or OSError if they cannot be written.
    """
    _refuse_unconvertible(offer)
    with _temporary_folder() as folder, _report_progress(folder, offer, say):
        converted = source.fetch(offer, folder)
        converted |= _convert_pickled(folder)
        record = ModelRecord.of_folder(
            folder,
            name=name,
            kind=str(offer.kind),
            revision=offer.revision,
            source=offer.address,
            licence=offer.licence,
            converted=converted,
        )
        record.write(folder)
        _install(folder, place_of(name))
    return record


def changed_files(name: str) -> list[str]:
    """Return the files of a model that differ from its record. Raises MissingModel, NotFetched."""
    folder = folder_of(name)
    if (record := ModelRecord.read(folder)) is None:
        raise NotFetched(f"{folder} has no record that it could be compared with.")
    return record.changes(folder)


def names_recorded() -> list[str]:
    return [name for name in names_here() if (models_folder() / name / RECORD).exists()]


def _refuse_unconvertible(offer: Offer) -> None:
    missing = model_files.missing_packages(model_files.NEEDED)
    if missing and pickled([file.name for file in offer.files]):
        raise NotFetched(
            f"{offer.address} has its weights pickled alone. To rewrite them as safetensors, "
            f"{', '.join(missing)} must be installed: {install_command('neural')}"
        )


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """Create a temporary folder on the disk of the models, and always remove it.

    Folders left by killed processes are removed first.
    """
    models = models_folder()
    models.mkdir(parents=True, exist_ok=True)
    for path in filter(_is_abandoned, models.glob(f"{PREFIX}*")):
        shutil.rmtree(path, ignore_errors=True)
    with (
        tempfile.TemporaryDirectory(prefix=PREFIX, dir=models) as folder,
        (Path(folder) / LOCK).open("w") as lock,
    ):
        lock_descriptor(lock.fileno())  # until this process closes it, or ends
        model_folder = Path(folder) / "model"
        model_folder.mkdir()
        yield model_folder


def _is_abandoned(folder: Path) -> bool:
    """Return whether no process holds the lock of a folder; a new folder may have none yet."""
    try:
        with (folder / LOCK).open() as lock:
            return lock_descriptor(lock.fileno(), blocking=False)
    except FileNotFoundError:
        return folder.stat().st_mtime < time.time() - ABANDONED_SECONDS


def _report_progress(
    folder: Path, offer: Offer, say: Callable[[str], None]
) -> AbstractContextManager[None]:
    """Report every few seconds how much has been written, until the block ends."""
    began = time.monotonic()

    def tell() -> bool:
        with suppress(OSError):  # a file that has just been moved
            written = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            seconds = time.monotonic() - began
            say(
                f"{written / 1e6:,.0f} MB of about {offer.size / 1e6:,.0f} written, {seconds:.0f} s"
            )
        return True

    return heartbeat(tell, seconds=REPORT_SECONDS)


def _convert_pickled(folder: Path) -> dict[str, str]:
    """Convert pickled weights to safetensors; return digests of the deleted files."""
    if not (names := pickled(file_sizes(folder))):
        return {}
    try:
        model_files.convert(folder)
    except (OSError, ValueError, RuntimeError, KeyError, UnpicklingError) as error:
        raise NotFetched(f"The weights cannot be rewritten as safetensors: {error}") from error
    converted = {name: file_digest(folder / name) for name in names}
    for name in names:
        (folder / name).unlink()
    return converted


def _install(folder: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        raise NotFetched(f"{place} was created by another process in the meantime.")
    folder.rename(place)
