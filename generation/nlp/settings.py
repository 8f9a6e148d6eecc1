"""The base of settings classes: checked when created, and stored as plain JSON values."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Self


def bounded(default: float, lowest: float, highest: float) -> Any:
    """Declare a field with its default, and its lowest and highest value."""
    return field(default=default, metadata={"bounds": (lowest, highest)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Frozen settings; the type of a default is the type of its field.

    Integers are accepted as floats; booleans are not accepted as numbers.

    Raises:
        ValueError: a value has the wrong type or is out of bounds.
    """

    SUBJECT: ClassVar[str]

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            _check_type(each.name, value, type(each.default))
            if bounds := each.metadata.get("bounds"):
                _check_bounds(each.name, value, *bounds)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return settings from plain values, as from `to_dict`; missing keys get their defaults.

        Raises:
            ValueError: a key is unknown, or a value has the wrong type or is out of bounds.
        """
        if unknown := sorted(values.keys() - {each.name for each in fields(cls)}):
            raise ValueError(f"Unknown settings of {cls.SUBJECT}: {', '.join(unknown)}.")
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def _check_type(name: str, value: object, kind: type) -> None:
    accepted = (int, float) if kind is float else kind
    if not isinstance(value, accepted) or (kind is not bool and isinstance(value, bool)):
        raise ValueError(f"The setting {name} must be of type {kind.__name__}, not {value!r}.")


def _check_bounds(name: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        raise ValueError(f"The setting {name} must be between {lowest} and {highest}.")
