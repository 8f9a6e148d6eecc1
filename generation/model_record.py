"""The record that lies beside a model's files: what it is and where it came from."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from generation.nlp.adapters.digests import RECORD, digest_of, file_digests, file_sizes


class UnreadableRecord(Exception):
    """A folder holds a record, and it cannot be read."""


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What is known of a model's folder.

    Attributes:
        name: that by which it is asked for, and the folder's path among the models.
        kind: "spacy" or "transformers".
        revision: the commit or version at its source; empty where that is not known.
        source: the address, or the folder, from which it came.
        licence: an SPDX identifier, or what the source says; empty where it says nothing.
        files: SHA-256 of each file by relative path.
        sizes: bytes of each file by relative path.
        converted: SHA-256 of the files, by name, that were rewritten here and not kept.
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
        """The record of what a folder holds now."""
        return cls(files=file_digests(folder), sizes=file_sizes(folder), **facts)

    @classmethod
    def read(cls, folder: Path) -> "ModelRecord | None":
        """The record of a folder, None where there is none. Raises UnreadableRecord."""
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
        """That of the whole folder, but for the record itself."""
        return digest_of(self.files)

    @property
    def identity(self) -> dict[str, str]:
        """What is stored with a run."""
        known = {"name": self.name, "revision": self.revision, "sha256": self.sha256}
        return {key: value for key, value in known.items() if value}

    def write(self, folder: Path) -> None:
        """Put the record into the folder."""
        text = json.dumps({**asdict(self), "sha256": self.sha256}, indent=1, ensure_ascii=False)
        (folder / RECORD).write_text(text + "\n", encoding="utf-8")

    def changes(self, folder: Path) -> list[str]:
        """Files that are missing, new, or hold something else than was recorded; in order."""
        found = file_digests(folder)
        return sorted(
            name
            for name in found.keys() | self.files.keys()
            if found.get(name) != self.files.get(name)
        )
