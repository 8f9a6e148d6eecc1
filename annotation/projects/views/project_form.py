"""What creating and changing a project share: protocols in words, and texts as they will look."""

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
    """A named protocol, as it is offered."""

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
    """Administrators, and staff who have the right."""
    return request.user.is_staff and request.user.has_perm("annotation.add_project")


def designer(
    view: Callable[[Request], HttpResponse],
) -> Callable[[Request], HttpResponse]:
    """Whoever may create or change any project. Raises Http404 for all others."""

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
    """Markdown as it will look: the text of the one field that was sent."""
    text = request.POST.get("guidelines") or request.POST.get("consent", "")
    return render(request, "annotation/setup/parts/preview.html", {"text": text[:MAX_PROSE]})


@gates.signed_in
@designer
@require_POST
def check_protocol(request: Request) -> HttpResponse:
    """What the numbers in the form mean, or why they cannot stand."""
    form = ProjectForm(request.POST)
    return render(request, "annotation/setup/parts/protocol.html", {"protocol": in_words(form)})


@dataclass(frozen=True, slots=True)
class InWords:
    """The numbers of a form: which preset they are, and what is wrong with them.

    Where a pair is decided early, `enough` votes on one side do it.
    """

    numbers: dict[str, int]
    preset: str
    problems: list[str]
    enough: int | None = None

    @property
    def has_ties(self) -> bool:
        """Whether as many people can be on either side."""
        return not self.problems and self.numbers["judgments_per_pair"] % 2 == 0

    @property
    def is_weak(self) -> bool:
        """Whether fewer than a majority would do."""
        return not self.problems and (
            2 * self.numbers["consensus_min_votes"] <= self.numbers["judgments_per_pair"]
        )


def in_words(form: ProjectForm) -> InWords:
    """Read from a form, whether it was sent or not."""
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
