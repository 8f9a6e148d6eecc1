"""The interface of generation methods: sentences in, one outcome for each out.

A method has settings that name its models and say how they run, and other settings, a class of
generation.nlp. The seed belongs to the run.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol, TypeAlias, runtime_checkable
from uuid import UUID

from generation.endpoints.chat import Ledger, NoLedger, Request, is_name
from generation.errors import BadSettings
from generation.models import Queue
from generation.nlp import settings as nlp_settings
from generation.nlp.recalibration import CORRECTING
from generation.nlp.rewrites import Outcome
from generation.nlp.settings import Field, Preset, _

Settings: TypeAlias = dict[str, Any]
Identities: TypeAlias = dict[str, dict[str, str]]

PRECISIONS = {
    "float32": _("float32, exact"),
    "float16": _("float16, faster on a GPU"),
    "bfloat16": _("bfloat16, faster on a GPU"),
}
DEVICES = {"cpu": _("CPU"), "cuda": _("GPU")}
# What a run changes of its preset whose estimate is corrected, by whatever numbers.
RECALIBRATED = "recalibrated"
# Of every method with neural models: where and how exactly they run.
MACHINE = (
    Field(
        "device",
        "cpu",
        _("Processor"),
        _("For neural models. A GPU needs a worker that has one."),
        choices=DEVICES,
        pattern=(r"cpu|cuda(:\d{1,2})?", "cpu, cuda or cuda with a number: cuda:1"),
    ),
    Field("precision", "float32", _("Precision"), choices=PRECISIONS),
)


class Rewriter(Protocol):
    """A method with its settings and models loaded."""

    @property
    def identities(self) -> Identities: ...

    def outcomes(self, texts: Sequence[str]) -> Iterable[Outcome]:
        """Return one outcome per text, in order; texts are those of a batch, or of one entity."""
        ...


@runtime_checkable
class Sampler(Rewriter, Protocol):
    """A method that keeps a share of its rewrites, not counting pairs of earlier runs."""

    def outcomes_after(self, texts: Sequence[str], earlier: Set[UUID]) -> Iterable[Outcome]:
        """Return one outcome per text, in order; `earlier` are the keys of earlier pairs."""
        ...


@dataclass(frozen=True, slots=True)
class GenerationMethod:
    """A way of rewriting sentences.

    Attributes:
        own: the class of the settings that are not about models.
        identify: returns name and revision or SHA-256 of each model, by its role; loads no model,
            so any process may call it. Raises MissingModel.
        rewriter: returns a rewriter from a whole configuration, the own settings and the ledger
            that keeps the replies of models behind endpoints; other models stay loaded for the
            lifetime of the process. Raises MissingModel.
        requests: returns what a model behind an endpoint is asked about one sentence, for
            estimates, from a whole configuration, the own settings and the sentence.
        models: the settings that name models and say how they run.
        check: raises BadSettings for settings of models that do not go together.
        for_corpus: returns a whole configuration for a corpus in a language (BCP 47), in which
            settings that depend on it are set.
        language: returns the language (BCP 47) that the models of a whole configuration are for;
            "" if it can be any, or the models do not tell.
        languages: those that the method can do with any models; empty if the models decide.
        for_others: what to do for a corpus in another language, as forms say it.
        presets: named settings; a run has the first if it names none.
        text: what it does, in a sentence or two.
        example: a sentence of the demonstration, and what the method gives for it.
        takes_pairs: whether it can rewrite both sentences of each pair of other runs, too.
        batch_size: sentences that are claimed and written together.
        lease: how long a worker may take over one batch before another may claim it.
    """

    own: type[nlp_settings.Settings]
    identify: Callable[[Settings], Identities]
    rewriter: Callable[[Settings, Any, Ledger], Rewriter]
    models: tuple[Field, ...] = ()
    requests: Callable[[Settings, Any, str], Sequence[Request]] = lambda *_: ()
    check: Callable[[Settings], None] = lambda _settings: None
    for_corpus: Callable[[Settings, str], Settings] = lambda settings, _language: settings
    language: Callable[[Settings], str] = lambda _settings: ""
    languages: tuple[str, ...] = ()
    for_others: str = ""
    presets: tuple[Preset, ...] = ()
    text: str = ""
    example: tuple[str, ...] = ()
    takes_pairs: bool = False
    batch_size: int = 200
    lease: timedelta = timedelta(minutes=2)

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(field for field in self.own.declared() if field.label)

    def configure(self, values: Mapping[str, Any]) -> Settings:
        """Return the whole configuration, defaults included. Raises BadSettings."""
        if "seed" in values:
            raise BadSettings("The seed is given to the run, not among its settings.")
        models = {field.name: values.get(field.name, field.default) for field in self.models}
        try:
            for field in self.models:
                field.check(models[field.name])
        except ValueError as error:
            raise BadSettings(str(error)) from error
        self.check(models)
        settings = self._method_settings(values, 0).to_dict()
        return models | {name: value for name, value in settings.items() if name != "seed"}

    def load(self, settings: Settings, seed: int, ledger: Ledger | None = None) -> Rewriter:
        """Return a rewriter for settings from `configure`; without a ledger no reply is kept.

        Raises MissingModel.
        """
        own = self._method_settings(settings, seed)
        return self.rewriter(settings, own, ledger or NoLedger())

    def requests_about(self, text: str, settings: Settings, seed: int = 0) -> Sequence[Request]:
        """Return what models behind endpoints are asked about a sentence."""
        return self.requests(settings, self._method_settings(settings, seed), text)

    def endpoint_models(self, settings: Settings) -> list[str]:
        """Return the models of a whole configuration that are behind endpoints."""
        names = [settings.get(field.name, "") for field in self.models if field.role]
        return [name for name in names if is_name(name)]

    def repeatable(self, settings: Settings) -> bool:
        """Whether the same settings and seed give the same candidates again."""
        return not self.endpoint_models(settings)

    def queue_of(self, settings: Settings) -> Queue:
        """Return the queue for a run: the kind of worker that its models need."""
        if self.endpoint_models(settings):
            return Queue.ENDPOINT
        is_on_gpu = str(settings.get("device", "cpu")).startswith("cuda")
        return Queue.GPU if is_on_gpu else Queue.CPU

    def _method_settings(self, settings: Mapping[str, Any], seed: int) -> nlp_settings.Settings:
        names = {field.name for field in self.models}
        settings_of_method = {name: value for name, value in settings.items() if name not in names}
        try:
            return self.own.from_dict(settings_of_method | {"seed": seed})
        except ValueError as error:
            raise BadSettings(str(error)) from error

    def languages_of(self, settings: Settings) -> tuple[str, ...]:
        """Return the languages that a whole configuration can do; empty if it may be any."""
        return self.languages or tuple(filter(None, [self.language(settings)]))

    def can_do(self, language: str, settings: Settings | None = None) -> bool:
        """Whether a language can be done with a whole configuration, or with some."""
        languages = self.languages if settings is None else self.languages_of(settings)
        return not languages or language.partition("-")[0].casefold() in languages

    def preset(self, name: str) -> Preset:
        """Return the preset with this name. Raises BadSettings."""
        if preset := next((preset for preset in self.presets if preset.name == name), None):
            return preset
        names = ", ".join(preset.name for preset in self.presets)
        raise BadSettings(f"There is no preset {name!r}; there are {names}.")

    def with_preset(self, name: str, settings: Settings) -> Settings:
        """Return the settings of a preset, the first if none is named, overridden.

        Raises BadSettings.
        """
        preset = self.preset(name) if name else next(iter(self.presets), None)
        return {**preset.settings, **settings} if preset else settings

    def preset_of(self, settings: Mapping[str, Any], most: int = 1) -> tuple[str, str]:
        """Return the preset from which the settings of a run differ least, and a line per change.

        The lines are as of `generate --set`, and RECALIBRATED where the estimate is corrected. Both
        are "" if more than `most` differ.
        """
        whole = self.with_defaults(settings)
        changes_by_preset = {
            preset.name: _changes(self.changed_fields(preset, whole), whole)
            for preset in self.presets
        }
        nearest = min(changes_by_preset, key=lambda name: len(changes_by_preset[name]), default="")
        changes = changes_by_preset.get(nearest, [])
        return ("", "") if len(changes) > most else (nearest, "\n".join(changes))

    def with_defaults(self, settings: Mapping[str, Any]) -> Settings:
        """Return the settings of a run with the defaults of those that it is older than."""
        return {**self.configure({}), **settings}

    def changed_fields(self, preset: Preset, settings: Mapping[str, Any]) -> list[str]:
        """Return the names of the own settings, and of models that a preset names, that differ."""
        configured = self.configure(preset.settings)
        names = dict.fromkeys([*(field.name for field in self.fields), *preset.settings])
        return [name for name in names if configured[name] != settings.get(name)]


def _changes(names: Sequence[str], settings: Settings) -> list[str]:
    lines = [f"{name}={json.dumps(settings[name])}" for name in names if name not in CORRECTING]
    return lines if CORRECTING.isdisjoint(names) else [*lines, RECALIBRATED]
