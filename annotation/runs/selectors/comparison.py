"""Generators compared: by method, preset, models, kind of change, and run."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotation.models import Project
from annotation.projects import protocols
from annotation.runs.selectors import counts, runs
from annotation.runs.selectors.counts import Counts, Source
from annotation.stats import generators
from annotation.stats.generators import Yield

# Models that every run of a method has, without a choice.
FIXED = ("likeness",)


class By(StrEnum):
    """How generators are distinguished."""

    METHOD = "method"
    PRESET = "preset"
    MODELS = "models"
    KIND = "kind"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Generator:
    """One line of a comparison; the parts that do not tell it apart are empty.

    Attributes:
        method, preset, models, kind: their names in the code; an empty preset means own settings.
        corpus: name of the corpus of a run.
        run: public id of a run.
        number: primary key of a run, by which pages name it.
    """

    method: str
    preset: str = ""
    models: str = ""
    kind: str = ""
    corpus: str = ""
    run: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """A generator and what it gives."""

    generator: Generator
    figures: Yield


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that entered a project, counted once, and the lines of each way to tell it apart."""

    total: Yield
    lines: dict[str, list[Compared]]


def of_project(project: Project, *ways: By) -> Comparison:
    """Compare the generators of a project in these ways, or in all, in seven queries."""
    found, protocol = counts.of_project(project), protocols.of(project)
    lines = {
        str(way): [
            Compared(generator, generators.of(made, protocol))
            for generator, made in sorted(found.by(_naming(found, way)).items(), key=_order)
        ]
        for way in ways or By
    }
    return Comparison(generators.of(found.total, protocol), lines)


def models_of(identities: Mapping[str, Any]) -> str:
    """Return the models that tell runs apart, such as “en_core_web_sm + gpt2”."""
    names = (known.get("name", "") for part, known in identities.items() if part not in FIXED)
    return " + ".join(dict.fromkeys(filter(None, names)))


def _naming(found: Counts, way: By) -> Callable[[Source], Generator]:
    """Return the function that tells to which generator a source belongs."""
    known = {key: _parts(found, key, way) for key in found.runs}

    def named(source: Source) -> Generator:
        parts = known[source.run]
        return Generator(**parts, kind=source.kind) if way is By.KIND else Generator(**parts)

    return named


def _parts(found: Counts, key: int, way: By) -> dict[str, Any]:
    run = found.runs[key]
    parts: dict[str, Any] = {"method": run.method}
    if way in (By.PRESET, By.RUN):
        parts["preset"] = runs.preset_of(run.method, run.settings)
    if way in (By.MODELS, By.RUN):
        parts["models"] = models_of(run.model_identities)
    if way is By.RUN:
        parts |= {"corpus": run.corpus.name, "run": str(run.public_id), "number": run.pk}
    return parts


def _order(line: tuple[Generator, Any]) -> tuple[Hashable, ...]:
    """Order by method, preset, models and kind; runs from the oldest on."""
    of = line[0]
    return of.number or 0, of.method, of.preset, of.models, of.kind
