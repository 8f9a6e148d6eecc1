"""Project creation and settings: protocols in words, text previews."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from annotation.access import gates, selectors
from annotation.access.gates import Request
from annotation.projects.forms.fields import MAX_PROSE
from annotation.projects.forms.projects import ProjectForm
from annotation.projects.protocols import PROTOCOLS, columns
from annotation.stats.consensus import enough_votes

NUMBERS = ("judgments_per_pair", "consensus_min_votes", "max_label", "paraphrase_from")
EARLY = "decides_early"


@dataclass(frozen=True, slots=True)
class Preset:
    """A named protocol as the form offers it."""

    name: str
    title: str
    words: str | Promise
    paper: str


PRESETS = (
    Preset(
        "paws",
        "PAWS",
        _(
            "Five people say of each pair whether it means the same. "
            "It is kept when at least four agree."
        ),
        "Zhang, Baldridge, He: PAWS. Paraphrase Adversaries from Word Scrambling. NAACL 2019, §4",
    ),
    Preset(
        "parade",
        "PARADE",
        _(
            "Three people grade each pair from 0 to 3. Grades 2 and 3 count as paraphrase, "
            "and the majority decides."
        ),
        "He, Wang, Zhang, Huang, Caverlee: PARADE. A New Dataset for Paraphrase Identification "
        "Requiring Computer Science Domain Knowledge. EMNLP 2020, §4",
    ),
)


def may_create(request: Request) -> bool:
    """Return whether the user is staff with the right to add projects."""
    return request.user.is_staff and request.user.has_perm("annotation.add_project")


def designer(
    view: Callable[[Request], HttpResponse],
) -> Callable[[Request], HttpResponse]:
    """Allow people who may create or change any project. Raises Http404 for others."""

    @wraps(view)
    def gate(request: Request) -> HttpResponse:
        if not (may_create(request) or selectors.managed(request.user).exists()):
            raise Http404
        return view(request)

    return gate


@gates.signed_in
@designer
@require_POST
def preview(request: Request) -> HttpResponse:
    """Render the Markdown of the field that was sent."""
    text = request.POST.get("guidelines") or request.POST.get("consent", "")
    return render(request, "annotation/setup/parts/preview.html", {"text": text[:MAX_PROSE]})


@gates.signed_in
@designer
@require_POST
def check_protocol(request: Request) -> HttpResponse:
    """Explain the numbers in the form, or why they are invalid."""
    form = ProjectForm(request.POST)
    return render(request, "annotation/setup/parts/protocol.html", {"protocol": in_words(form)})


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
        """Whether ties are possible."""
        return not self.problems and self.numbers["judgments_per_pair"] % 2 == 0

    @property
    def is_weak(self) -> bool:
        """Whether half of the votes are enough to keep a pair."""
        return not self.problems and (
            2 * self.numbers["consensus_min_votes"] <= self.numbers["judgments_per_pair"]
        )


def in_words(form: ProjectForm) -> InWords:
    """Read the protocol from a bound or unbound form."""
    if not form.is_bound:
        initial = {
            name: form.get_initial_for_field(form.fields[name], name) for name in (*NUMBERS, EARLY)
        }
        return _worded({name: int(initial[name]) for name in NUMBERS}, early=bool(initial[EARLY]))
    problems = [str(text) for name in NUMBERS for text in form.errors.get(name, [])]
    if problems:
        return InWords({}, "", problems)
    given = form.cleaned_data
    return _worded({name: given[name] for name in NUMBERS}, early=given[EARLY])


def _worded(numbers: dict[str, int], *, early: bool) -> InWords:
    chosen = numbers | {EARLY: early}
    same = (name for name, protocol in PROTOCOLS.items() if columns(protocol) == chosen)
    enough = enough_votes(numbers["judgments_per_pair"], numbers["consensus_min_votes"])
    return InWords(numbers, next(same, ""), [], enough if early else None)
