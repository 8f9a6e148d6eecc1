"""The page of a release's evaluation: its tables, and the forms that add to them."""

import uuid
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh, reselect, retarget

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Membership
from common.bodies import REST_OF_FORM, takes_up_to
from evaluation import models_by_name, services, shown
from evaluation.board import TESTED
from evaluation.brought import Unscorable, check_name
from evaluation.data import Unusable
from evaluation.models import MOST_SEEDS, Evaluation
from evaluation.selectors import companion_of, files_of, tables_of
from releases.models import Release
from releases.services.publication import record_download
from releases.views.one_release import find_published
from releases.views.release_page import page

State = Release.State
TEMPLATE = "evaluation/release.html"
# About ten times the predictions of the largest test set that the papers have.
MOST_BYTES = 5_000_000


class EvaluationForm(forms.Form):
    """Which questions to answer, by which models."""

    experiments = forms.MultipleChoiceField(
        label=_("Questions"),
        choices=Evaluation.Experiment.choices,
        initial=(Evaluation.Experiment.PLAIN, Evaluation.Experiment.CURVE),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Answered in this order. Each result appears as soon as it is ready."),
    )
    model_names = forms.MultipleChoiceField(
        label=_("Models"),
        widget=forms.CheckboxSelectMultiple,
        initial=models_by_name.WITHOUT_TORCH,
        help_text=_(
            "From simple to powerful. Each of the last six needs a minute or more for each seed."
        ),
    )
    seeds = forms.IntegerField(
        label=_("Seeds"),
        min_value=1,
        max_value=MOST_SEEDS,
        initial=3,
        help_text=_(
            "Each model is trained once for each seed, from another random start. "
            "The page shows the mean and the range."
        ),
    )

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        has_torch = find_spec("torch") is not None
        usable = models_by_name.NAMES if has_torch else models_by_name.WITHOUT_TORCH
        models: Any = self.fields["model_names"]
        models.choices = [(name, _now(models_by_name.ABOUT[name])) for name in usable]
        if not has_torch:
            models.help_text = _(
                "Neural models need torch on the server. Ask an administrator to install it."
            )


class PredictionsForm(forms.Form):
    """A file of predictions that were made elsewhere, for one of the sets of a release."""

    name = forms.CharField(
        label=_("Name of the model"),
        max_length=60,
        help_text=_("Letters, digits and .+-_ without spaces, such as MyModel-2."),
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    split = forms.ChoiceField(label=_("Set"))
    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "Tab-separated text (TSV), up to 5 MB. The first line names the columns id (or "
            "published_id of a published set), and score (0 to 1) or label (0 or 1). Each pair of "
            "the set has one line."
        ),
        error_messages={"required": _("Choose a file."), "empty": _("The file is empty.")},
        widget=forms.FileInput(attrs={"accept": ".tsv,.tab,.txt,text/plain"}),
    )
    replaces = forms.BooleanField(
        label=_("Replace predictions of the same name for this set"), required=False
    )

    def __init__(self, *arguments: Any, sets: Iterable[str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        split: Any = self.fields["split"]
        split.choices = [(name, shown.SETS[name]) for name in sets]

    def clean_name(self) -> str:
        try:
            return check_name(self.cleaned_data["name"])
        except Unscorable as error:
            raise forms.ValidationError(in_words(error)) from error

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(
                _("The file is larger than 5 MB. Write only the columns id and score.")
            )
        return bytes(file.read())


def in_words(error: Unscorable) -> list[str]:
    return [_now(fault.message) % fault.values for fault in error.faults]


@gates.signed_in
@require_safe
def evaluation(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    member = gates.reader(request, project_id)
    return _page(request, member, find_published(member, public_id))


@gates.signed_in
@require_POST
def request_evaluation(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID
) -> HttpResponse:
    member = gates.manager(request, project_id)
    release = find_published(member, public_id)
    form = EvaluationForm(request.POST, label_suffix="")
    if not form.is_valid():
        return _page(request, member, release, status=gates.UNPROCESSABLE, form=form)
    try:
        services.request_all(release, by=request.user, **form.cleaned_data)
    except Refused as error:
        messages.warning(request, str(error))
    return redirect("evaluation", project_id, public_id)


@gates.signed_in
@require_safe
def evaluation_progress(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID
) -> HttpResponse:
    """When an evaluation is over, render the results; a person may be filling in the form."""
    member = gates.reader(request, project_id)
    release = find_published(member, public_id)
    if not request.htmx:
        return redirect("evaluation", project_id, public_id)
    if release.state == State.WITHDRAWN:
        return HttpResponseClientRefresh()
    context = shown.progress(member, release)
    if context["open"] and request.GET.get("open") == f"{len(context['open'])}":
        return render(request, "evaluation/parts/progress.html", context)
    return reselect(retarget(_page(request, member, release), "#evaluation"), "#evaluation")


@gates.signed_in
@require_POST
def cancel_evaluation(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID
) -> HttpResponse:
    """Cancel the evaluation of a release by an experiment. Raises Http404."""
    release = find_published(gates.manager(request, project_id), public_id)
    rows = Evaluation.objects.filter(release=release)
    row = get_object_or_404(rows, experiment=request.POST.get("experiment"))
    try:
        services.cancel(row, by=request.user)
    except Refused as error:
        messages.warning(request, str(error))
    return redirect("evaluation", project_id, public_id)


@takes_up_to(MOST_BYTES + REST_OF_FORM, gate=gates.manager_sends)
@gates.signed_in
@require_POST
def bring_predictions(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID
) -> HttpResponse:
    member = gates.manager(request, project_id)
    release = find_published(member, public_id)
    form = _predictions_form(release, request.POST, request.FILES)
    if form.is_valid() and _bring(request, release, form):
        # Without a fragment, the browser would keep that of the form, far below the message.
        return redirect(reverse("evaluation", args=[project_id, public_id]) + "#main")
    return _page(request, member, release, status=gates.UNPROCESSABLE, predictions=form)


def _predictions_form(release: Release, *sent: Any) -> PredictionsForm:
    sets = tables_of(release)
    return PredictionsForm(*sent, sets=sets, label_suffix="", auto_id="predictions_%s")


def _bring(request: Request, release: Release, form: PredictionsForm) -> bool:
    """Score the predictions of a form; on failure, add what is wrong to it and return False."""
    fields = dict(form.cleaned_data)
    content = fields.pop("file")
    try:
        services.bring(release, content=content, by=request.user, **fields)
    except Unscorable as error:
        form.add_error("name" if error.is_of_name else "file", in_words(error))
    except (Refused, Unusable) as error:
        form.add_error(None, str(error))
    else:
        messages.success(
            request, _now("%(name)s is on the leaderboard.") % {"name": fields["name"]}
        )
    return form.is_valid()


@gates.signed_in
@require_POST
def remove_predictions(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID
) -> HttpResponse:
    """Remove predictions of another model from the leaderboard of a set. Raises Http404."""
    member = gates.manager(request, project_id)
    release = find_published(member, public_id)
    if release.state == State.WITHDRAWN:
        return _page(request, member, release)
    name, split = (request.POST.get(key, "") for key in ("name", "split"))
    if split not in TESTED:
        raise Http404
    try:
        services.remove(release, name=name, split=split, by=request.user)
    except Unscorable as error:
        messages.warning(request, " ".join(in_words(error)))
    except (Refused, Unusable) as error:
        messages.warning(request, str(error))
    else:
        messages.success(
            request, _now("The predictions of %(name)s were removed.") % {"name": name}
        )
    return redirect("evaluation", project_id, public_id)


@gates.signed_in
@require_safe
def evaluation_file(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID, path: str
) -> HttpResponse:
    """Send a file of the evaluation. Raises Http404."""
    member = gates.reader(request, project_id)
    release = find_published(member, public_id)
    if release.state == State.WITHDRAWN:
        return _page(request, member, release)
    if path not in files_of(release):
        raise Http404
    content = (companion_of(release) / path).open("rb")
    record_download(release, f"evaluation/{path}", by=request.user)
    return cast(HttpResponse, FileResponse(content, as_attachment=True))


def _page(
    request: Request, member: Membership, release: Release, *, status: int = 200, **sent_forms: Any
) -> HttpResponse:
    """Show the page, or that of the withdrawn release; `sent_forms` were sent and refused."""
    if release.state == State.WITHDRAWN:
        return page(request, member, release.public_id)
    context = shown.context(member, release)
    actions = {
        "form": EvaluationForm(label_suffix="", initial=context["asked_last"]),
        "predictions": _predictions_form(release),
    }
    context |= actions | sent_forms
    return render(request, TEMPLATE, context, status=status)
