"""The generator models of a release: their identities in the manifest and on the card."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from releases.dataset.card_parts import MODELS_TITLE, model_lines
from releases.dataset.manifest import MANIFEST, Manifest
from releases.dataset.reader import Difference

CARD = "README.md"
is_sha256 = re.compile("[0-9a-f]{64}").fullmatch


def model_differences(folder: Path, manifest: Manifest) -> Iterator[Difference]:
    """Check models against the card: the manifest has no checksum, but that of the card."""
    manifest_models = manifest.get("models")
    if not (isinstance(manifest_models, list) and all(map(is_texts, manifest_models))):
        yield Difference(MANIFEST, "models is not a list of models with texts as values")
        return
    for model in manifest_models:
        if "sha256" in model and not is_sha256(model["sha256"]):
            yield Difference(MANIFEST, f"{model['sha256']!r}, of a model, is not a SHA-256")
    if {comparable(line) for line in model_lines(manifest_models)} != {
        comparable(line) for line in lines_on_card(folder)
    }:
        yield Difference(MANIFEST, f"models are not those that {CARD} lists")


def is_texts(model: Any) -> bool:
    return isinstance(model, Mapping) and all(isinstance(value, str) for value in model.values())


def lines_on_card(folder: Path) -> list[str]:
    """Return the lines about models on the card; none if it cannot be read."""
    try:
        text = (folder / CARD).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    # Guidelines may have the same title: the section is the last one.
    _, title, rest = text.rpartition(f"\n## {MODELS_TITLE}\n")
    section = rest.partition("\n## ")[0] if title else ""
    return [line for line in section.splitlines() if line.startswith("- ")]


def comparable(line: str) -> frozenset[tuple[str, str]]:
    """Return the keys and values in a line about a model; their order depends on the database."""
    return frozenset(re.findall(r"(\w+): `([^`]*)`", line))
