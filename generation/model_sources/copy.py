"""Models from a local folder: fetched on another computer, or trained by the user."""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from generation.model_record import ModelRecord, UnreadableRecord
from generation.model_sources.files import Kind, kind_of, needed
from generation.model_sources.offer import NotFetched, Offer, OfferedFile, verify
from generation.nlp.adapters.digests import file_sizes


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
        """Return the model files in the folder. Raises NotFetched if it has no usable model."""
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
        return self._described(Offer(kind, str(self.path), self.revision, self.licence, files))

    def bring(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Copy and verify the files. Raises NotFetched."""
        for file in offer.files:
            target = folder / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.path / file.name, target)
        verify(offer.files, folder)
        record = self._record()
        return record.converted if record else {}

    def _described(self, offer: Offer) -> Offer:
        """Complete the offer from the record of an earlier fetch. Raises NotFetched."""
        if not (record := self._record()):
            return offer
        if changed := record.changes(self.path):
            raise NotFetched(f"{self.path} is not as it was fetched, first {changed[0]}.")
        return replace(
            offer,
            address=record.source,
            revision=offer.revision or record.revision,
            licence=offer.licence or record.licence,
        )

    def _record(self) -> ModelRecord | None:
        try:
            return ModelRecord.read(self.path)
        except UnreadableRecord as error:
            raise NotFetched(str(error)) from error
