"""What a form shows of a method: its settings with labels, help and bounds, and its presets."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from generation.nlp.settings import Settings, _

DEVICES = {"cpu": _("CPU"), "cuda": _("GPU")}
PRECISIONS = {
    "float32": _("float32, exact"),
    "float16": _("float16, faster on a GPU"),
    "bfloat16": _("bfloat16, faster on a GPU"),
}


class Role(StrEnum):
    """What a model does in a method."""

    TAGGER = "tagger"
    LANGUAGE_MODEL = "language_model"
    TRANSLATOR = "translator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A setting: its default, which gives its type, and what a form shows.

    Attributes:
        label, help: texts that forms translate.
        bounds: lowest and highest value of a number.
        choices: the allowed values with their names; empty if any value is allowed.
        role: of a setting that names a model, what the model does.
        optional: whether a model may be left out.
    """

    name: str
    default: Any
    label: str
    help: str = ""
    bounds: tuple[float, float] | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    role: Role | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings under a name, as they differ from the defaults; models are chosen apart."""

    name: str
    title: str
    text: str
    settings: Mapping[str, Any]


# Of every method: where and how exactly its neural models run.
MACHINE = (
    Field(
        name="device",
        default="cpu",
        label=_("Processor"),
        help=_("For neural models. A GPU needs a worker that has one."),
        choices=DEVICES,
    ),
    Field(name="precision", default="float32", label=_("Precision"), choices=PRECISIONS),
)


def defaults(declared: Iterable[Field]) -> dict[str, Any]:
    """Return the default of each field by its name."""
    return {each.name: each.default for each in declared}


def fields_of(own: type[Settings]) -> tuple[Field, ...]:
    """Return the settings of a class of generation.nlp that have a label, in order."""
    return tuple(
        Field(
            name=each.name,
            default=each.default,
            label=each.metadata["label"],
            help=each.metadata["help"],
            bounds=each.metadata.get("bounds"),
            choices=each.metadata.get("choices", {}),
        )
        for each in fields(own)
        if each.metadata.get("label")
    )
