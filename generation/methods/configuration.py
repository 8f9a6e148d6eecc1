"""Builds whole configurations: checks the given settings and adds the defaults.

A method has settings that name its models and how they run, given here as their defaults, and
other settings, a class of generation.nlp. The seed belongs to the run.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from generation.errors import BadSettings
from generation.methods.contract import Settings
from generation.nlp import settings as nlp_settings

PRECISIONS = ("float32", "float16", "bfloat16")

Own = TypeVar("Own", bound=nlp_settings.Settings)

_DEVICE = re.compile(r"cpu|cuda(:\d{1,2})?")


def whole(values: Mapping[str, Any], *, models: Settings, own: type[Own]) -> Settings:
    """Return all settings of a method, defaults included. Raises BadSettings."""
    if "seed" in values:
        raise BadSettings("The seed is given to the run, not among its settings.")
    chosen = {name: values.get(name, default) for name, default in models.items()}
    _check(chosen, models)
    rest = own_settings(values, 0, models=models, own=own).to_dict()
    return chosen | {name: value for name, value in rest.items() if name != "seed"}


def own_settings(
    settings: Mapping[str, Any], seed: int, *, models: Settings, own: type[Own]
) -> Own:
    """Return the settings without those of the models, plus the seed. Raises BadSettings."""
    rest = {name: value for name, value in settings.items() if name not in models}
    try:
        return own.from_dict(rest | {"seed": seed})
    except ValueError as error:
        raise BadSettings(str(error)) from error


def _check(chosen: Settings, models: Settings) -> None:
    for name, default in models.items():
        if type(chosen[name]) is not type(default):
            raise BadSettings(f"The setting {name} must be like {default!r}.")
    if not _DEVICE.fullmatch(chosen["device"]):
        raise BadSettings("The setting device must be cpu, cuda or cuda with a number: cuda:1.")
    if chosen["precision"] not in PRECISIONS:
        raise BadSettings(f"The setting precision must be one of {', '.join(PRECISIONS)}.")
