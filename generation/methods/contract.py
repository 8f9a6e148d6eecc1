"""The interface of generation methods: sentences in, one outcome for each out.

A method has settings that name its models and how they run, given here as their defaults, and
other settings, a class of generation.nlp. The seed belongs to the run.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, TypeAlias, TypeVar

from generation.errors import BadSettings
from generation.methods.declared import PRECISIONS, Field, Preset
from generation.models import Queue
from generation.nlp import settings as nlp_settings
from generation.nlp.rewrites import Outcome

Settings: TypeAlias = dict[str, Any]
Identities: TypeAlias = dict[str, dict[str, str]]

Own = TypeVar("Own", bound=nlp_settings.Settings)

_DEVICE = re.compile(r"cpu|cuda(:\d{1,2})?")


def any_language(_settings: Settings) -> str:
    return ""


class Rewriter(Protocol):
    """A method with its settings and models loaded."""

    @property
    def identities(self) -> Identities: ...

    def outcomes(self, texts: Sequence[str]) -> Iterable[Outcome]:
        """Return one outcome per text, in order; the same texts always give the same outcomes.

        The texts are those of a batch; in a run by entity, those of one entity.
        """
        ...


@dataclass(frozen=True, slots=True)
class GenerationMethod:
    """A way of rewriting sentences.

    Attributes:
        configure: returns the whole configuration from user settings; raises BadSettings.
        identify: returns name and revision or SHA-256 of each model, by its role; loads no model,
            so any process may call it. Raises MissingModel.
        load: returns a rewriter from a whole configuration and a seed; models stay loaded for the
            lifetime of the process. Raises MissingModel.
        language: returns the language (BCP 47) that the models of a whole configuration are for;
            "" if it can be any, or the models do not tell.
        languages: those that the method can do with any models; empty if the models decide.
        for_others: what to do for a corpus in another language, as forms say it.
        fields: the settings as forms show them, without those of models.
        models: the settings that name models and say how they run.
        presets: named settings; the first has the defaults.
        of_pairs: whether it rewrites both sentences of each pair of other runs, not the sources.
        batch_size: sentences that are claimed and written together.
        lease: how long a worker may take over one batch before another may claim it.
    """

    configure: Callable[[Mapping[str, Any]], Settings]
    identify: Callable[[Settings], Identities]
    load: Callable[[Settings, int], Rewriter]
    language: Callable[[Settings], str] = any_language
    languages: tuple[str, ...] = ()
    for_others: str = ""
    fields: tuple[Field, ...] = ()
    models: tuple[Field, ...] = ()
    presets: tuple[Preset, ...] = ()
    of_pairs: bool = False
    batch_size: int = 200
    lease: timedelta = timedelta(minutes=2)

    def languages_of(self, settings: Settings) -> tuple[str, ...]:
        """Return the languages that a whole configuration can do; empty if it may be any."""
        return self.languages or tuple(filter(None, [self.language(settings)]))

    def can_do(self, language: str, settings: Settings | None = None) -> bool:
        """Whether a language can be done with a whole configuration, or with some."""
        known = self.languages if settings is None else self.languages_of(settings)
        return not known or language.partition("-")[0].casefold() in known

    def preset(self, name: str) -> Preset:
        """Return the preset with this name. Raises BadSettings."""
        if found := next((each for each in self.presets if each.name == name), None):
            return found
        known = ", ".join(each.name for each in self.presets)
        raise BadSettings(f"There is no preset {name!r}; there are {known}.")

    def preset_of(self, settings: Mapping[str, Any]) -> str:
        """Return the name of the preset that a whole configuration has, models aside, or ""."""
        for each in self.presets:
            configured = self.configure(each.settings)
            if all(configured[field.name] == settings.get(field.name) for field in self.fields):
                return each.name
        return ""


def queue_of(settings: Settings) -> Queue:
    """Return the queue for a run: settings with a CUDA device need workers with a GPU."""
    return Queue.GPU if str(settings.get("device", "cpu")).startswith("cuda") else Queue.CPU


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
        is_whole_float = type(default) is float and type(chosen[name]) is int
        if type(chosen[name]) is not type(default) and not is_whole_float:
            raise BadSettings(f"The setting {name} must be like {default!r}.")
    if "device" not in models:
        return
    if not _DEVICE.fullmatch(chosen["device"]):
        raise BadSettings("The setting device must be cpu, cuda or cuda with a number: cuda:1.")
    if chosen["precision"] not in PRECISIONS:
        raise BadSettings(f"The setting precision must be one of {', '.join(PRECISIONS)}.")
