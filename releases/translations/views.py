"""The form on a release that creates a translation study (PAWS-X 2)."""

import uuid
from typing import TypeVar

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import gates, readers
from annotation.access.gates import Request
from annotation.models import Project, TranslationPlan
from annotation.projects.forms.pickers import LanguageField
from annotation.translations.forms import SHARE, SHARE_HELP
from common.forms import PercentField
from releases.forms import MOST_SEED
from releases.models import Release
from releases.translations import selectors, services
from releases.translations.selectors import MOST_PAIRS
from releases.views.one_release import ask, create_study, find

T = TypeVar("T")
MOST_RELEASES = 100
AT_LEAST = format_lazy(
    _("At least {least} of each translator are validated, and all if a translator has fewer."),
    least=TranslationPlan._meta.get_field("least_validated").default,
)


class TranslationForm(forms.Form):
    """The name of the new project, the language, and how many pairs are translated."""

    name = forms.CharField(
        label=_("Name of the new project"), max_length=Project._meta.get_field("name").max_length
    )
    language = LanguageField(label=_("Translate into"))
    dev = forms.IntegerField(
        label=_("Pairs of dev"),
        help_text=_("At most this number, in whole groups of linked sentences. Empty: all."),
        min_value=1,
        max_value=MOST_PAIRS,
        required=False,
    )
    test = forms.IntegerField(
        label=_("Pairs of test"),
        help_text=_("As for dev."),
        min_value=1,
        max_value=MOST_PAIRS,
        required=False,
    )
    validated_share = PercentField(
        label=SHARE,
        help_text=format_lazy("{} {}", SHARE_HELP, AT_LEAST),
        initial=TranslationPlan._meta.get_field("validated_share").default,
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        help_text=_("The same seed draws the same pairs, order and validations."),
        min_value=0,
        max_value=MOST_SEED,
        initial=0,
    )


@gates.signed_in
@require_safe
def choose_release(request: Request) -> HttpResponse:
    """List the releases that a new project may translate, the newest first."""
    if not readers.may_create(request.user):
        raise Http404
    managed = readers.managed_projects(request.user).filter(archived_at=None)
    releases = Release.objects.filter(state=Release.State.FROZEN, project__in=managed)
    newest = releases.select_related("project").order_by("-frozen_at")[:MOST_RELEASES]
    return render(request, "releases/choose.html", {"releases": newest})


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def translate_release(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID
) -> HttpResponse:
    member = gates.manager(request, project_id)
    if not readers.may_create(request.user):
        raise Http404
    release = find(member, public_id)
    if release.state != Release.State.FROZEN:
        return redirect("release", project_id, public_id)
    sent = request.POST if request.method == "POST" else None
    form = TranslationForm(sent, label_suffix="")
    if form.is_valid() and (study := create_study(services.create, request, release, form)):
        messages.success(request, _("Project created. Invite the people who are to translate."))
        return redirect("overview", study.public_id)
    available = {split: selectors.pairs_of(release, split).count() for split in selectors.SPLITS}
    about = {"release": release, "available": available}
    return ask(request, member, form, "releases/translate", **about)
