"""Manager pages for the qualification set: add pairs by hand or as lines, and preview."""

import uuid
from dataclasses import dataclass, field
from io import BytesIO

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Project
from annotation.quality import gold_lines
from annotation.quality.forms.qualification import HEADER, REASONS, LinesForm, PairForm
from annotation.quality.gold_lines import GoldPair
from annotation.quality.selectors import qualification as selectors
from annotation.quality.services import qualification
from annotation.quality.views.qualification import item_of
from annotation.work import judge
from generation.records import Format, UnreadableFile

UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Trouble:
    """A rejected line and the reason."""

    line: int
    reason: str | Promise
    text: str


@dataclass(slots=True)
class Read:
    """The pairs and rejected lines of a file."""

    pairs: list[GoldPair] = field(default_factory=list)
    refused: list[Trouble] = field(default_factory=list)

    def lines(self) -> str:
        """Return the rejected lines, to be corrected and submitted again."""
        return HEADER + "\n".join(trouble.text for trouble in self.refused)


@gates.signed_in
@require_safe
def qualification_set(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the set with the share of correct answers, and the forms to add pairs."""
    return _page(request, gates.manager(request, project_id).project)


@gates.signed_in
@require_POST
def add_pair(request: Request, project_id: uuid.UUID) -> HttpResponse:
    project = gates.manager(request, project_id).project
    form = PairForm(request.POST, answers=_choices(project))
    if not form.is_valid():
        return _page(request, project, form=form)
    _add(request, project, [form.pair()])
    return redirect("qualification_set", project_id)


@gates.signed_in
@require_POST
def add_lines(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Add the valid lines; return the others with their errors for correction."""
    project = gates.manager(request, project_id).project
    form = LinesForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, project, lines=form)
    try:
        read = _read(form.data_of(), project)
    except UnreadableFile as unreadable:
        form.add_error(None, str(unreadable))
        return _page(request, project, lines=form)
    _add(request, project, read.pairs)
    if not read.refused:
        return redirect("qualification_set", project_id)
    again = LinesForm(initial={"lines": read.lines()})
    return _page(request, project, lines=again, refused=read.refused)


@gates.signed_in
@require_POST
def remove_pair(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    """Remove a pair from the set."""
    project = gates.manager(request, project_id).project
    pair = project.qualification_pairs.filter(public_id=pair_id).first()
    if pair is not None:
        qualification.remove(pair, by=request.user)
        messages.success(request, _("The pair is no longer part of the set."))
    return redirect("qualification_set", project_id)


@gates.signed_in
@require_safe
def preview_set(request: Request, project_id: uuid.UUID, number: int) -> HttpResponse:
    """Show pair `number`, from 1, as newcomers see it; answers are not stored."""
    project = gates.manager(request, project_id).project
    pairs = list(project.qualification_pairs.all())
    if not 1 <= number <= len(pairs):
        raise Http404
    context = {
        "project": project,
        "preview": number + 1 if number < len(pairs) else 1,
        "standing": selectors.Standing(pairs[number - 1], number, len(pairs)),
        "item": item_of(pairs[number - 1], selectors.language_of(project)),
        "answers": judge.choices(project),
    }
    return render(request, "annotation/entrance/qualify.html", context)


def _read(data: bytes, project: Project) -> Read:
    read = Read()
    for line in gold_lines.read(BytesIO(data), Format.TSV, max_label=project.max_label):
        if isinstance(line, GoldPair):
            read.pairs.append(line)
        else:
            read.refused.append(Trouble(line.line, REASONS[line.reason], line.text))
    return read


def _add(request: Request, project: Project, pairs: list[GoldPair]) -> None:
    try:
        added, known = qualification.add(project, pairs, by=request.user)
    except Refused as refused:
        messages.warning(request, str(refused))
        return
    if added:
        said = ngettext("%(count)s pair was added.", "%(count)s pairs were added.", added)
        messages.success(request, said % {"count": added})
    if known:
        said = ngettext(
            "%(count)s pair was in the set already and stays as it was.",
            "%(count)s pairs were in the set already and stay as they were.",
            known,
        )
        messages.info(request, said % {"count": known})


def _choices(project: Project) -> list[tuple[int, str]]:
    return [(answer.value, str(answer.name)) for answer in judge.choices(project)]


def _page(
    request: Request,
    project: Project,
    *,
    form: PairForm | None = None,
    lines: LinesForm | None = None,
    refused: list[Trouble] | None = None,
) -> HttpResponse:
    """Show the page with the submitted form, or with empty forms."""
    named = dict(_choices(project))
    context = {
        "project": project,
        "manages": True,
        "pairs": [(each, named[each.pair.label]) for each in selectors.of_project(project)],
        "answers": judge.choices(project),
        "form": form or PairForm(answers=_choices(project)),
        "lines": lines or LinesForm(),
        "refused": refused,
        "language": selectors.language_of(project),
    }
    is_wrong = bool(form or lines)
    status = UNPROCESSABLE if is_wrong else 200
    return render(request, "annotation/setup/qualification_set.html", context, status=status)
