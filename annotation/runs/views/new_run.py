"""The form of a new run: corpus, method, preset and settings."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.errors import Refused
from annotation.models import Project
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.runs import services as project_runs
from annotation.runs.forms import NewRunForm
from annotation.runs.method_names import method_name
from annotation.runs.selectors import accepted
from annotation.runs.selectors.accepted import Accepted
from annotation.runs.services import Rewrites
from annotation.stats.estimated import Corrected
from common.program import PROGRAM
from generation import estimates, methods, tasks, usage_figures
from generation.errors import BadSettings, GenerationError, NotNow, WrongLanguage
from generation.forms import SettingsForm, missing_models
from generation.methods.contract import GenerationMethod
from generation.models import GenerationRun, Method
from generation.nlp.settings import Preset
from generation.services import limits, runs
from generation.services.runs import Action


@dataclass(frozen=True, slots=True)
class Card:
    """A method or a preset to choose, with its example; `reason` says why it cannot run here.

    `accepted` are candidates of the preset that were read: `is_of_project` if in this project.
    """

    name: str
    title: str
    text: str
    sentences: list[list[Piece]]
    per_hundred: int | None = None
    accepted: Corrected | None = None
    is_of_project: bool = False
    reason: str = ""


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def new_run(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Start a run. A preset button fills in its settings; `from` those of another run.

    `start_with` starts what that run does with a preset instead, and `without` leaves out a kind
    of change.
    """
    project = gates.manager(request, project_id).project
    earlier = _earlier_run(request, project)
    name = request.GET.get("method") or (earlier.method if earlier else _first_method(project))
    if name not in project_runs.methods_of(project):
        raise Http404
    corrected = accepted.of_project(project) if name == Method.WORD_SWAP else None
    form = _form(request, project, methods.METHODS[name], earlier, corrected)
    if "estimate" in request.POST:
        context = {"estimate": _estimate(form, name)}
        return render(request, "annotation/runs/parts/estimate.html", context)
    if request.method != "POST" or "preset_button" in request.POST:
        return _render_form(request, project, name, form, earlier, corrected)
    if form.is_valid() and (started := _start_run(request, project, name, form)):
        _discard(request, earlier)
        messages.success(request, _("Run started."))
        return redirect("run", project_id, started.public_id)
    return _render_form(request, project, name, form, earlier, corrected, status=UNPROCESSABLE)


def _first_method(project: Project) -> str:
    """Return the method that the next run probably has, or else one that can run here."""
    likely = project_runs.method_of_next_run(project)
    names = [likely, *project_runs.methods_of(project)]
    return next((name for name in names if not _obstacle(project, name)), likely)


def _earlier_run(request: Request, project: Project) -> GenerationRun | None:
    """Return the run whose settings are changed, if one is named. Raises Http404."""
    if not (name := request.GET.get("from")):
        return None
    try:
        key = uuid.UUID(name)
    except ValueError as error:
        raise Http404 from error
    run = project.runs.filter(public_id=key, method__in=methods.METHODS).first()
    if run is None:
        raise Http404
    return run


def _form(
    request: Request,
    project: Project,
    method: GenerationMethod,
    earlier: GenerationRun | None,
    corrected: Accepted | None,
) -> NewRunForm:
    """Return the form as posted, with a preset filled in, or with the settings of a run."""
    options: dict[str, Any] = {
        "method": method,
        "user": request.user,
        "project": project,
        "accepted": corrected,
    }
    if earlier and (name := request.POST.get("start_with")):
        return NewRunForm(_with_preset(earlier, method, _preset_named(method, name)), **options)
    if request.method != "POST":
        values = earlier.settings if earlier else _first_values(project, method)
        if without := request.GET.get("without"):
            values = _without(values, without)
        corpora = project.corpora.values_list("pk", flat=True)[:2]
        only = corpora[0] if len(corpora) == 1 else None
        initial: dict[str, Any] = {"corpus": request.GET.get("corpus", only)}
        if earlier:
            initial = _what_is_rewritten(earlier) | _limits_of(earlier)
        return NewRunForm(values=values, initial=initial, **options)
    if "preset_button" not in request.POST:
        return NewRunForm(request.POST, **options)
    typed = NewRunForm(request.POST, **options)
    preset = _preset_named(method, request.POST["preset_button"])
    return NewRunForm(**options, initial=_fill_form(typed, method, preset))


def _without(values: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return settings of word swap without a kind of change. Raises Http404 if they lack it."""
    movable = values.get("movable", ())
    if kind not in movable:
        raise Http404
    return {**values, "movable": [name for name in movable if name != kind]}


def _what_is_rewritten(earlier: GenerationRun) -> dict[str, Any]:
    rewrite = Rewrites.PAIRS if earlier.pairs_of.exists() else Rewrites.SENTENCES
    return {"corpus": earlier.corpus_id, "seed": earlier.seed, "rewrite": rewrite}


def _limits_of(earlier: GenerationRun) -> dict[str, Any]:
    cost = earlier.most_cost and earlier.most_cost / limits.MILLION
    values = {"most_tokens": earlier.most_tokens, "most_cost": cost}
    return {name: value for name, value in values.items() if value is not None}


def _first_values(project: Project, method: GenerationMethod) -> dict[str, Any]:
    """Return settings that can run here: of the first preset whose models are installed."""
    of_presets = (method.configure(preset.settings) for preset in method.presets)
    usable = (values for values in of_presets if not missing_models(method, values))
    return {**next(usable, {}), **project_runs.suggested_settings(project)}


def _preset_named(method: GenerationMethod, name: str) -> Preset:
    try:
        return method.preset(name)
    except BadSettings as error:
        raise Http404 from error


def _with_preset(
    earlier: GenerationRun, method: GenerationMethod, preset: Preset
) -> dict[str, Any]:
    """Return what the form would send for a preview like an earlier one with a preset."""
    configured = method.configure(preset.settings)
    changed = {field.name: configured[field.name] for field in method.fields}
    first = _what_is_rewritten(earlier) | {"preview": True}
    return {**first, **earlier.settings, **changed, **preset.settings}


def _fill_form(typed: SettingsForm, method: GenerationMethod, preset: Preset) -> Mapping[str, Any]:
    """Return what was typed, with the settings of the preset."""
    values = {name: typed[name].value() for name in typed.fields}
    configured = method.configure(preset.settings)
    own = {field.name: configured[field.name] for field in method.fields}
    return {**values, **own, **preset.settings}


def _start_run(
    request: Request, project: Project, method: str, form: NewRunForm
) -> GenerationRun | None:
    """Return the new run; if it cannot start, return None and say why in the form."""
    values = form.cleaned_data
    try:
        [started] = project_runs.start(
            project,
            [values["corpus"]],
            method=method,
            settings=form.settings,
            seed=values["seed"],
            preview=values["preview"],
            rewrite=values.get("rewrite", ""),
            started_by=request.user,
            **form.limits,
        )
    except (GenerationError, Refused) as error:
        form.add_error(None, str(error))
        return None
    tasks.wake(started.pk)
    return started


def _discard(request: Request, earlier: GenerationRun | None) -> None:
    """Cancel the preview whose settings were changed: the new run takes its place."""
    if earlier is None or not earlier.preview:
        return
    try:
        runs.steer(earlier, Action.CANCEL, by=request.user)
    except NotNow:
        return


def _render_form(
    request: Request,
    project: Project,
    name: str,
    form: NewRunForm,
    earlier: GenerationRun | None,
    corrected: Accepted | None,
    *,
    status: int = 200,
) -> HttpResponse:
    without = request.GET.get("without", "")
    context = {
        "project": project,
        "manages": True,
        "form": form,
        "method": name,
        "methods": [_method_card(project, choice) for choice in project_runs.methods_of(project)],
        "presets": [
            _preset_card(preset, name, corrected) for preset in methods.METHODS[name].presets
        ],
        "preset": _preset(form, name),
        "earlier": earlier,
        "left_out": without and differences.kind_name(without),
        "estimate": _estimate(form, name),
        "wrong_language": _wrong_language(form, name),
        "needs_pairs": bool(methods.METHODS[name].languages),
    }
    return render(request, "annotation/runs/new_run.html", context, status=status)


def _method_card(project: Project, name: str) -> Card:
    method = methods.METHODS[name]
    title, sentences = method_name(name), _example_pieces(method.example, name)
    return Card(name, title, _(method.text), sentences, reason=_obstacle(project, name))


def _obstacle(project: Project, name: str) -> str:
    """Return why a method cannot run for a project, or ""."""
    endpoints_of = project_runs.names_for_endpoints(project)
    form = SettingsForm(method=methods.METHODS[name], endpoints_of=endpoints_of)
    if form.needs_endpoint:
        return _("Needs a chat model on a server. An administrator can add one.")
    return _needs_models(form.missing and (form.packaged or form.missing))


def _needs_models(names: list[str]) -> str:
    if not names:
        return ""
    text = _("Needs models that are not installed here. An administrator can install them:")
    return f"{text} {PROGRAM} fetch_models {' '.join(names)}"


def _preset_card(preset: Preset, method: str, corrected: Accepted | None) -> Card:
    sentences = _example_pieces(preset.example, method)
    missing = missing_models(methods.METHODS[method], preset.settings)
    of_project = corrected.presets.get(preset.name) if corrected else None
    return Card(
        preset.name,
        _(preset.title),
        _(preset.text),
        sentences,
        preset.per_hundred,
        of_project or (Corrected(*preset.accepted) if preset.accepted else None),
        is_of_project=of_project is not None,
        reason=_needs_models(missing),
    )


def _example_pieces(example: tuple[str, ...], method: str) -> list[list[Piece]]:
    """Return the sentences in pieces; definitions are no rewrites, so nothing differs in them."""
    if method == Method.DEFINITIONS or not example:
        return [[Piece(text, False)] for text in example]
    return list(differences.pieces(*example))


def _wrong_language(form: NewRunForm, method: str) -> str:
    """Return why no settings let the method do the chosen corpus, and what to do instead; or "".

    Before one is chosen, the reason for the first if it can do none.
    """
    key = form["corpus"].value()
    corpora = [row for row in form.corpora if not key or str(row.pk) == str(key)]
    try:
        if not any(methods.METHODS[method].can_do(row.language) for row in corpora):
            for corpus in corpora[:1]:
                runs.check_language(corpus, method)
    except WrongLanguage as error:
        return str(error)
    return ""


def _estimate(form: NewRunForm, method: str) -> str:
    """Return what models on other servers would be asked by a run as the form has it, in words.

    "" if no such model is chosen, or the form is not complete.
    """
    corpus = next((row for row in form.corpora if str(row.pk) == str(form["corpus"].value())), None)
    if not form.endpoint_models or corpus is None or (form.is_bound and not form.is_valid()):
        return ""
    try:
        configuration = methods.METHODS[method].configure(_values(form))
        models = limits.models_of(method, configuration)
    except GenerationError:
        return ""
    if not models:
        return ""
    return usage_figures.estimated(estimates.of_corpus(corpus, method, configuration, models))


def _values(form: NewRunForm) -> dict[str, Any]:
    """Return the settings that a valid form has, or that one shows at first."""
    if form.is_bound:
        return form.settings
    fields = [field.name for field in (*form.method.fields, *form.method.models)]
    return {name: form.get_initial_for_field(form.fields[name], name) for name in fields}


def _preset(form: NewRunForm, method: str) -> str:
    """Return the name of the preset that the form shows; "" if its settings are others."""
    if form.is_bound and not form.is_valid():
        return ""
    values = {field.name: field.initial for field in (*form.own, *form.models)}
    name, changed = methods.preset_of(method, form.settings if form.is_bound else values)
    return "" if changed else name
