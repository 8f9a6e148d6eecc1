"""The record stored with a model's files: its identity and its source."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from generation.nlp.adapters.digests import RECORD, digest_of, file_digests, file_sizes


class UnreadableRecord(Exception):
    """The record in a folder cannot be read."""


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What is known about a model's folder.

    Attributes:
        name: the name in settings, and the folder's path within the models folder.
        kind: "spacy" or "transformers".
        revision: the commit or version at its source; empty if unknown.
        source: the address or folder that it was fetched from.
        licence: an SPDX identifier, or the source's own text; empty if the source has none.
        files: SHA-256 of each file by relative path.
        sizes: bytes of each file by relative path.
        converted: SHA-256, by name, of files that were converted here and then deleted.
    """

    name: str
    kind: str
    revision: str
    source: str
    licence: str
    files: dict[str, str]
    sizes: dict[str, int]
    converted: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_folder(cls, folder: Path, **facts: Any) -> "ModelRecord":
        """Create a record of the current contents of a folder."""
        return cls(files=file_digests(folder), sizes=file_sizes(folder), **facts)

    @classmethod
    def read(cls, folder: Path) -> "ModelRecord | None":
        """Return the record of a folder, or None if it has none. Raises UnreadableRecord."""
        path = folder / RECORD
        if not path.exists():
            return None
        try:
            facts = json.loads(path.read_bytes())
            facts.pop("sha256")
            return cls(**facts)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise UnreadableRecord(f"The record {path} cannot be read ({error}).") from error

    @property
    def sha256(self) -> str:
        """SHA-256 of the whole folder, without the record itself."""
        return digest_of(self.files)

    @property
    def identity(self) -> dict[str, str]:
        """The identity stored with a run: name, revision and SHA-256."""
        known = {"name": self.name, "revision": self.revision, "sha256": self.sha256}
        return {key: value for key, value in known.items() if value}

    def write(self, folder: Path) -> None:
        """Write the record into the folder."""
        text = json.dumps({**asdict(self), "sha256": self.sha256}, indent=1, ensure_ascii=False)
        (folder / RECORD).write_text(text + "\n", encoding="utf-8")

    def changes(self, folder: Path) -> list[str]:
        """Return sorted names of files that are missing, new or different from the record."""
        found = file_digests(folder)
        return sorted(
            name
            for name in found.keys() | self.files.keys()
            if found.get(name) != self.files.get(name)
        )
