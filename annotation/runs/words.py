"""Runs in words: their names, states, presets, settings and models."""

import json
from collections.abc import Iterator, Mapping
from textwrap import shorten
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.runs.method_names import method_name
from annotation.runs.services import Rewrites
from generation import methods
from generation.methods.contract import RECALIBRATED, GenerationMethod
from generation.model_store import EMBEDDED
from generation.models import GenerationRun, Method
from generation.nlp.settings import Field

State = GenerationRun.State
STATES = {
    State.RUNNING: gettext_lazy("Running"),
    State.PAUSED: gettext_lazy("Paused"),
    State.CANCELLED: gettext_lazy("Cancelled"),
    State.DONE: gettext_lazy("Done"),
}
# Characters of a setting that follows the name of its preset.
LONGEST_VALUE = 60
OWN_SETTINGS = gettext_lazy("custom settings")


def name_of(run: GenerationRun) -> str:
    """Return a name such as “rivers, word swap #7”."""
    return f"{run.corpus.name}, {method_name(run.method)} #{run.pk}"


def state(run: GenerationRun, *, waits: bool) -> str:
    """Return the state in a word or two, as in a chip."""
    if waits:
        return _("Preview")
    if run.preview and run.state == State.RUNNING:
        return _("Preview is running")
    if run.preview and run.state == State.PAUSED:
        return _("Preview is paused")
    return str(STATES[State(run.state)])


def preset_name(run: GenerationRun, most: int = 1) -> str:
    """Return the title of the preset of a run; "" of imported candidates.

    At most `most` settings may have been changed.
    """
    return preset_title(run.method, *methods.preset_of(run.method, run.settings, most))


def preset_title(method: str, preset: str, changed: str) -> str:
    """Return the title of a preset of a method, of own settings, or "" of imported candidates.

    Settings that were changed follow: “Recommended; Candidates per sentence: 3; recalibrated”.
    """
    if Method.IMPORTED in (method, preset):
        return ""
    run_method = methods.METHODS[method]
    title = next((row.title for row in run_method.presets if row.name == preset), None)
    if title is None:
        return str(OWN_SETTINGS)
    lines = changed.splitlines()
    others = (line.partition("=") for line in lines if line != RECALIBRATED)
    values = {name: json.loads(value) for name, _equals, value in others}
    return "; ".join(
        [
            _(title),
            *(
                f"{label}: {shorten(text, LONGEST_VALUE, placeholder='…')}"
                for label, text in _settings(run_method, values)
            ),
            *([_("recalibrated")] if RECALIBRATED in lines else []),
        ]
    )


def settings_of(run: GenerationRun) -> list[tuple[str, str]]:
    """Return label and value of each setting of a run, as its form has them, then the seed."""
    run_method = methods.METHODS.get(run.method)
    seed = (_("Seed"), str(run.seed))
    if run_method is None:
        return [*_raw(run.settings), seed]
    return [*_rewritten(run, run_method), *_settings(run_method, run.settings), seed]


def models_of(run: GenerationRun) -> list[tuple[str, str]]:
    """Return each model of a run: its part, and its name with its revision or SHA-256."""
    return [
        (part.replace("_", " "), ", ".join(f"{name} {value}" for name, value in model.items()))
        for part, model in run.model_identities.items()
    ]


def _rewritten(run: GenerationRun, run_method: GenerationMethod) -> Iterator[tuple[str, str]]:
    if run_method.takes_pairs:
        rewrites = Rewrites.PAIRS if run.pairs_of.exists() else Rewrites.SENTENCES
        yield _("Rewrites"), str(rewrites.label)


def _settings(run_method: GenerationMethod, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field in (*run_method.fields, *run_method.models):
        if field.name in values:
            yield _(field.label), _value_in_words(field, values[field.name])


def _raw(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, value in values.items()]


def _value_in_words(field: Field, value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if field.is_share:
        return f"{100 * value:.10g}"
    if field.choices:
        values = value if isinstance(value, list) else [value]
        names = {str(key): name for key, name in field.choices.items()}
        return ", ".join(_(names[key]) if key in names else str(key) for key in values) or "–"
    return _("built in") if value == EMBEDDED else str(value) or "–"
