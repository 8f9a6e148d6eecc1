"""The models of this installation that a setting may name, by what they do."""

import json
from collections.abc import Iterator
from pathlib import Path

from generation import model_catalogue
from generation.methods.declared import Field, Role
from generation.model_store import EMBEDDED, Kind, kind_of, models_folder
from generation.nlp.adapters import spacy_pipelines


def of_field(field: Field) -> list[str]:
    """Return the names that a setting may have, sorted; the embedded model first."""
    if field.role is Role.TRANSLATOR:
        return sorted(_of_role(field.role))
    first = "" if field.optional else EMBEDDED
    return [first, *sorted(_of_role(field.role))]


def _of_role(role: Role | None) -> set[str]:
    if role is Role.TAGGER:
        known = (each.name for each in model_catalogue.MODELS)
        packages = set(filter(spacy_pipelines.is_installed, known))
        return packages | {name for name, folder in _folders() if _kind(folder) is Kind.SPACY}
    return {
        name
        for name, folder in _folders()
        if _kind(folder) is Kind.TRANSFORMERS and _translates(folder) == (role is Role.TRANSLATOR)
    }


def _folders() -> Iterator[tuple[str, Path]]:
    """Yield each folder that may hold a model with its name: "gpt2", or "organisation/model"."""
    root = models_folder()
    for pattern in ("*", "*/*"):
        for folder in root.glob(pattern):
            if folder.is_dir():
                yield folder.relative_to(root).as_posix(), folder


def _kind(folder: Path) -> Kind | None:
    return kind_of([path.name for path in folder.iterdir()])


def _translates(folder: Path) -> bool:
    """Whether a model reads one text and writes another, as translators do."""
    try:
        configuration = json.loads((folder / "config.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(configuration, dict) and bool(configuration.get("is_encoder_decoder"))
