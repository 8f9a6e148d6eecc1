"""A new project: cards of what people do, the protocol in words, and previews of texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import gates, readers
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.models import Project
from annotation.projects.forms.projects import ProjectForm
from annotation.projects.labels import have_same_labels, label_names
from annotation.projects.protocols import PRESETS, PROTOCOLS, Preset, columns
from annotation.projects.services import projects
from annotation.runs.method_names import METHOD_NAMES
from annotation.stats.consensus import Protocol, decide_tally, enough_votes
from annotation.stats.labels import Scheme
from annotation.translations.study import TRANSLATED
from common.bodies import LONG_TEXTS, takes_up_to
from common.forms import MAX_PROSE
from common.quotes import quoted

NUMBERS = ("judgments_per_pair", "consensus_min_votes", "judgments_at_most")
EARLY, SCHEME = "decides_early", "scheme"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A task as a card shows it: two texts, the answers, and the place of the chosen one."""

    texts: tuple[str, str]
    answers: Sequence[str | Promise]
    chosen: int
    languages: tuple[str, str] = ("en", "en")


_ANSWERS = [gettext_lazy("Same meaning"), gettext_lazy("Different meaning")]
# Of operations/demonstration; short, so that the cards and the name fit on one screen.
SWAPPED = (
    "Can a shy child become a confident adult?",
    "Can a confident child become a shy adult?",
)
REORDERED = (
    "How far is it from Nairobi to Mombasa by road?",
    "By road, how far is it from Nairobi to Mombasa?",
)
DEFINED = (
    "A system that records how files change over time.",
    "It keeps the complete history of a set of documents.",
)
ENTAILED = ("The bakery opens at six every morning.", "The bakery is open on Tuesdays.")
_INFERENCES = [gettext_lazy("entailment"), gettext_lazy("neutral"), gettext_lazy("contradiction")]
# Of the guidelines of these presets.
ALIKE = (
    "At dawn, two boys rowed across the lake.",
    "Early in the morning two boys rowed over a lake.",
)
ASKED = ("How can I learn to swim?", "What is a good way to learn swimming?")
DRAWINGS = {
    "paws": Drawing(SWAPPED, _ANSWERS, 1),
    "judging": Drawing(REORDERED, _ANSWERS, 0),
    "graded": Drawing(DEFINED, ["0", "1", "2", "3"], 2),
    "nli": Drawing(ENTAILED, _INFERENCES, 0),
    "sts": Drawing(ALIKE, ["0", "1", "2", "3", "4", "5"], 4),
    "opinions": Drawing(ASKED, ["-5", "…", "0", "…", "5"], 4),
    "empty": Drawing(
        REORDERED,
        [gettext_lazy("Alike"), gettext_lazy("Related"), gettext_lazy("Unrelated")],
        0,
    ),
}
TRANSLATION = Drawing(TRANSLATED, [gettext_lazy("Save the translation")], 0, ("en", "de"))


@dataclass(frozen=True, slots=True)
class InWords:
    """The numbers and labels of a form, the preset that they match, and their problems.

    `enough` is the number of votes on one side that decides a pair early, if that is enabled;
    `corrected` are names of methods.
    """

    numbers: dict[str, Any]
    scheme: Scheme | None
    preset: str
    problems: list[str]
    enough: int | None = None
    corrected: Sequence[str | Promise] = ()

    @property
    def lead(self) -> int:
        people, votes, most = (self.numbers[name] for name in NUMBERS)
        return Protocol(people, votes, judgments_at_most=most).lead

    @property
    def label_names(self) -> str:
        return ", ".join(map(quoted, label_names(self.scheme))) if self.scheme else ""

    @property
    def example(self) -> str:
        """What a bare majority for one of several labels makes of a pair, in words."""
        if self.problems or self.scheme is None or not self.scheme.decides or self.scheme.is_binary:
            return ""
        people = self.numbers["judgments_per_pair"]
        most = people // 2 + 1
        tally = [0, most, people - most, *[0] * (self.scheme.size - 3)]
        protocol = Protocol(people, self.numbers["consensus_min_votes"], self.scheme)
        decision = decide_tally(tally, protocol)
        names = label_names(self.scheme)
        votes = (f"{number} {name}" for number, name in zip(tally, names, strict=True) if number)
        text = _now("%(votes)s: %(label)s, kept.")
        if not decision.kept:
            text = _now("%(votes)s: not kept.")
        return text % {"votes": ", ".join(votes), "label": names[1]}

    @property
    def decides(self) -> bool:
        """Whether votes decide the label of a pair."""
        return self.scheme is not None and self.scheme.decides

    @property
    def has_ties(self) -> bool:
        return self.decides and self.numbers["judgments_per_pair"] % 2 == 0

    @property
    def is_weak(self) -> bool:
        """Whether half of the votes are enough to keep a pair."""
        return self.decides and (
            2 * self.numbers["consensus_min_votes"] <= self.numbers["judgments_per_pair"]
        )


def _check_that_designs(request: Any) -> None:
    """Raises Http404 for people who may neither create nor change any project."""
    if not (readers.may_create(request.user) or readers.managed_projects(request.user).exists()):
        raise Http404


def designer(view: Callable[[Request], HttpResponse]) -> Callable[[Request], HttpResponse]:
    """Allow people who may create or change any project. Raises Http404 for others."""

    @wraps(view)
    def gate(request: Request) -> HttpResponse:
        _check_that_designs(request)
        return view(request)

    return gate


def check_that_creates(request: Any) -> None:
    """Raises Http404 for people who may not create projects."""
    if not readers.may_create(request.user):
        raise Http404


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def create_project(request: Request) -> HttpResponse:
    """Create a project as a card has it, managed by its creator."""
    check_that_creates(request)
    preset = _preset(request)
    if request.method != "POST":
        initial = preset.values | _planned(request)
        return _reply(request, ProjectForm(instance=Project(), initial=initial), preset)
    form = ProjectForm(_sent(request, preset))
    if not form.is_valid():
        return _reply(request, form, preset, status=UNPROCESSABLE)
    values = form.cleaned_data | {"guidelines": preset.guidelines} | _of_labels(preset, form)
    project = projects.create(**values, managers=[request.user], by=request.user)
    messages.success(request, _now("Project created. You’re its manager."))
    return redirect("overview", project.public_id)


@takes_up_to(LONG_TEXTS, gate=_check_that_designs)
@gates.signed_in
@designer
@require_POST
def preview(request: Request) -> HttpResponse:
    """Render the Markdown of the field that was sent."""
    text = request.POST.get("guidelines") or request.POST.get("consent", "")
    return render(request, "annotation/setup/parts/preview.html", {"text": text[:MAX_PROSE]})


@takes_up_to(LONG_TEXTS, gate=_check_that_designs)
@gates.signed_in
@designer
@require_POST
def check_protocol(request: Request) -> HttpResponse:
    """Explain the numbers in the form, or why they are invalid."""
    form = ProjectForm(request.POST)
    return render(request, "annotation/setup/parts/protocol.html", {"protocol": in_words(form)})


def in_words(form: ProjectForm) -> InWords:
    """Read the protocol from a bound or unbound form."""
    if form.is_bound:
        names = (*NUMBERS, SCHEME)
        problems = [str(text) for name in names for text in form.errors.get(name, [])]
        return InWords({}, None, "", problems) if problems else _describe(form.cleaned_data)
    fields = (*NUMBERS, EARLY, SCHEME, "corrected_methods")
    return _describe({name: form.get_initial_for_field(form.fields[name], name) for name in fields})


def _describe(values: Mapping[str, Any]) -> InWords:
    numbers = {name: values[name] for name in NUMBERS}
    scheme: Scheme | None = values[SCHEME]
    rules = numbers | {EARLY: values[EARLY], SCHEME: scheme}
    presets = (name for name, protocol in PROTOCOLS.items() if columns(protocol) == rules)
    enough = enough_votes(numbers["judgments_per_pair"], numbers["consensus_min_votes"])
    corrected = [METHOD_NAMES[name] for name in values.get("corrected_methods", ())]
    return InWords(
        numbers, scheme, next(presets, ""), [], enough if values[EARLY] else None, corrected
    )


def _preset(request: Request) -> Preset:
    """Return the preset of the chosen card."""
    name = (request.POST if request.method == "POST" else request.GET).get("preset", "paws")
    if name not in PRESETS:
        raise Http404
    return PRESETS[name]


def _planned(request: Request) -> dict[str, int | None]:
    """Return the numbers that the page Plan put into the address. Raises Http404 for others."""
    if not any(name in request.GET for name in NUMBERS):
        return {}
    try:
        people, votes = (int(request.GET.get(name, "")) for name in NUMBERS[:2])
        most = int(request.GET[NUMBERS[2]]) if request.GET.get(NUMBERS[2]) else None
        Protocol(people, votes, judgments_at_most=most)
    except ValueError as error:
        raise Http404 from error
    return dict(zip(NUMBERS, (people, votes, most), strict=True))


def _sent(request: Request, preset: Preset) -> Mapping[str, Any]:
    """Return what was sent; with the protocol of a card that was chosen without scripts."""
    if request.POST.get("began_with", preset.name) == preset.name:
        return request.POST
    return request.POST.dict() | preset.values


def _of_labels(preset: Preset, form: ProjectForm) -> dict[str, Any]:
    """Return what the preset says of its labels, if the project has them."""
    has_labels = have_same_labels(form.cleaned_data[SCHEME], preset.protocol.scheme)
    return preset.of_labels if has_labels else {}


def _reply(request: Request, form: ProjectForm, preset: Preset, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "cards": [(row, DRAWINGS[row.name]) for row in PRESETS.values()],
        "translation": TRANSLATION,
        "paper_of_translation": "Yang et al.: PAWS-X. EMNLP 2019",
        "preset": preset,
        "protocol": in_words(form),
    }
    return render(request, "annotation/setup/create_project.html", context, status=status)
