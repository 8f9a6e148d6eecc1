"""Reads facts about a spaCy pipeline from its files, without loading it or spaCy."""

import json
from configparser import ConfigParser
from configparser import Error as ConfigError
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

BEAM_WIDTH = 16
BEAM_DENSITY = 0.0001  # drops parses with a smaller share of the best parse's score

# Factory names. Ours are registered by spacy_component and spacy_scores.
TAGS_AND_NAMES = "pawsmith_tags_and_names"
BEAM = "pawsmith_beam"
# Factories of spaCy components that set no tags.
WITHOUT_TAGS = """
    tok2vec transformer curated_transformer parser beam_parser senter sentencizer ner beam_ner
    entity_ruler entity_linker span_ruler span_finder spancat spancat_singlelabel lemmatizer
    trainable_lemmatizer morphologizer textcat textcat_multilabel doc_cleaner
"""
RECOGNISERS = frozenset({"ner", "beam_ner"})


class UnreadablePipeline(ValueError):
    """A folder has no usable spaCy pipeline; the message says why."""


class PipelineFiles:
    """The folder of a spaCy pipeline. meta.json and config.cfg are read on first use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def identity(self) -> dict[str, str]:
        """Name, version, and the source of its entity probabilities. Raises UnreadablePipeline."""
        return {
            "name": f"{self.meta['lang']}_{self.meta['name']}",
            "version": str(self.meta["version"]),
            "entity_probability": self._entity_probability(),
        }

    @cached_property
    def meta(self) -> dict[str, Any]:
        """The contents of meta.json. Raises UnreadablePipeline."""
        try:
            meta: dict[str, Any] = json.loads((self.folder / "meta.json").read_bytes())
            return {key: meta[key] for key in ("lang", "name", "version")} | meta
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UnreadablePipeline(f"{self.folder} holds no spaCy pipeline: {error!r}") from error

    @cached_property
    def factories(self) -> frozenset[str]:
        """Factory names of its enabled components. Raises UnreadablePipeline."""
        config = ConfigParser(interpolation=None)
        config.optionxform = str  # type: ignore[assignment,method-assign]  # nO is not no
        try:
            config.read_string((self.folder / "config.cfg").read_text(encoding="utf-8"))
            names = set(json.loads(config["nlp"]["pipeline"]))
            names -= set(json.loads(config["nlp"].get("disabled", "[]")))
            return frozenset(json.loads(config[f"components.{name}"]["factory"]) for name in names)
        except (OSError, ValueError, KeyError, TypeError, ConfigError) as error:
            raise UnreadablePipeline(
                f"The configuration of the spaCy pipeline {self.folder} cannot be read: {error!r}"
            ) from error

    def _entity_probability(self) -> str:
        if TAGS_AND_NAMES in self.factories:
            return "own scores"
        return f"beam of {BEAM_WIDTH} parses" if self.factories & RECOGNISERS else "none given"

    def check(self) -> None:
        """Raise UnreadablePipeline if it sets no tags or needs missing packages."""
        missing = [text for text in self.meta.get("requirements", []) if not _is_met(text)]
        if missing:
            raise UnreadablePipeline(
                f"The spaCy pipeline {self.folder} needs packages that are not installed: "
                f"{', '.join(missing)}."
            )
        if self.factories <= set(WITHOUT_TAGS.split()):
            raise UnreadablePipeline(f"The spaCy pipeline {self.folder} sets no tags.")


def files_of(source: str | Path) -> PipelineFiles:
    """Return a package's, or else a folder's, as spaCy resolves it. Raises UnreadablePipeline."""
    folder = _package_folder(str(source)) or Path(source)
    if not folder.is_dir():
        raise UnreadablePipeline(f"There is no spaCy pipeline {source}.")
    return PipelineFiles(folder)


def is_installed(name: str) -> bool:
    return _package_folder(name) is not None


def _package_folder(name: str) -> Path | None:
    spec = find_spec(name) if name.isidentifier() else None
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    folders = sorted(path.parent for path in package.glob("*/config.cfg"))
    return folders[0] if (package / "meta.json").is_file() and folders else None


def _is_met(text: str) -> bool:
    """Whether a requirement, such as "spacy>=3.7", is installed; False if it cannot be parsed."""
    try:
        requirement = Requirement(text)
        return requirement.specifier.contains(version(requirement.name), prereleases=True)
    except (PackageNotFoundError, InvalidRequirement):
        return False
