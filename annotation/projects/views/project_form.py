"""The form of a new project: presets, the protocol in words, and previews of texts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _now
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import gates, readers
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.models import Project
from annotation.projects.forms.projects import ProjectForm
from annotation.projects.protocols import PRESETS, PROTOCOLS, Preset, columns, is_untouched
from annotation.projects.services import projects
from annotation.stats.consensus import enough_votes
from common.bodies import LONG_TEXTS, takes_up_to
from common.forms import MAX_PROSE

NUMBERS = ("judgments_per_pair", "consensus_min_votes", "max_label", "paraphrase_from")
EARLY = "decides_early"


@dataclass(frozen=True, slots=True)
class InWords:
    """The numbers of a form, the preset that they match, and their problems.

    `enough` is the number of votes on one side that decides a pair early, if that is enabled.
    """

    numbers: dict[str, int]
    preset: str
    problems: list[str]
    enough: int | None = None

    @property
    def has_ties(self) -> bool:
        return not self.problems and self.numbers["judgments_per_pair"] % 2 == 0

    @property
    def is_weak(self) -> bool:
        """Whether half of the votes are enough to keep a pair."""
        return not self.problems and (
            2 * self.numbers["consensus_min_votes"] <= self.numbers["judgments_per_pair"]
        )


def _designs(request: Any) -> None:
    """Raises Http404 for people who may neither create nor change any project."""
    if not (readers.may_create(request.user) or readers.managed_projects(request.user).exists()):
        raise Http404


def designer(view: Callable[[Request], HttpResponse]) -> Callable[[Request], HttpResponse]:
    """Allow people who may create or change any project. Raises Http404 for others."""

    @wraps(view)
    def gate(request: Request) -> HttpResponse:
        _designs(request)
        return view(request)

    return gate


def _creates(request: Any) -> None:
    if not readers.may_create(request.user):
        raise Http404


@takes_up_to(LONG_TEXTS, gate=_creates)
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def create_project(request: Request) -> HttpResponse:
    """Create a project, managed by its creator. A preset button fills in the form first."""
    _creates(request)
    preset = _preset(request)
    if request.method != "POST" or "preset" in request.POST:
        initial = _fill_with_preset(request, preset)
        return _reply(request, ProjectForm(instance=Project(), initial=initial), preset)
    form = ProjectForm(request.POST)
    if not form.is_valid():
        return _reply(request, form, preset, status=UNPROCESSABLE)
    values = form.cleaned_data | _examples(preset, form)
    project = projects.create(**values, managers=[request.user], by=request.user)
    messages.success(request, _now("Project created. You’re its manager."))
    return redirect("overview", project.public_id)


@takes_up_to(LONG_TEXTS, gate=_designs)
@gates.signed_in
@designer
@require_POST
def preview(request: Request) -> HttpResponse:
    """Render the Markdown of the field that was sent."""
    text = request.POST.get("guidelines") or request.POST.get("consent", "")
    return render(request, "annotation/setup/parts/preview.html", {"text": text[:MAX_PROSE]})


@takes_up_to(LONG_TEXTS, gate=_designs)
@gates.signed_in
@designer
@require_POST
def check_protocol(request: Request) -> HttpResponse:
    """Explain the numbers in the form, or why they are invalid."""
    form = ProjectForm(request.POST)
    return render(request, "annotation/setup/parts/protocol.html", {"protocol": in_words(form)})


def in_words(form: ProjectForm) -> InWords:
    """Read the protocol from a bound or unbound form."""
    if not form.is_bound:
        initial = {
            name: form.get_initial_for_field(form.fields[name], name) for name in (*NUMBERS, EARLY)
        }
        return _describe({name: int(initial[name]) for name in NUMBERS}, early=bool(initial[EARLY]))
    problems = [str(text) for name in NUMBERS for text in form.errors.get(name, [])]
    if problems:
        return InWords({}, "", problems)
    values = form.cleaned_data
    return _describe({name: values[name] for name in NUMBERS}, early=values[EARLY])


def _describe(numbers: dict[str, int], *, early: bool) -> InWords:
    rules = numbers | {EARLY: early}
    presets = (name for name, protocol in PROTOCOLS.items() if columns(protocol) == rules)
    enough = enough_votes(numbers["judgments_per_pair"], numbers["consensus_min_votes"])
    return InWords(numbers, next(presets, ""), [], enough if early else None)


def _preset(request: Request) -> Preset:
    """Return the preset of a button or a link, or the one that the form began with."""
    sent = request.POST if request.method == "POST" else request.GET
    name = sent.get("preset") or sent.get("began_with") or "paws"
    if name not in PRESETS:
        raise Http404
    return PRESETS[name]


def _fill_with_preset(request: Request, preset: Preset) -> dict[str, Any]:
    """Return the form's current values with those of the preset; written guidelines stay."""
    typed: dict[str, Any] = request.POST.dict()
    values = preset.values
    if not is_untouched(request.POST.get("guidelines", "")):
        values.pop("guidelines")
    return typed | values


def _examples(preset: Preset, form: ProjectForm) -> dict[str, Any]:
    """Return the examples of the preset if the project has its scale."""
    has_scale = form.cleaned_data["max_label"] == preset.protocol.max_label
    return {"examples": dict(preset.examples)} if has_scale else {}


def _reply(request: Request, form: ProjectForm, preset: Preset, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "presets": PRESETS.values(),
        "preset": preset,
        "protocol": in_words(form),
    }
    return render(request, "annotation/setup/create_project.html", context, status=status)
