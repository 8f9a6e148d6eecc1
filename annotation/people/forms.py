"""Forms for members: roles, permissions and invitations, and the steps of newcomers."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from annotation.models import Project, Role
from annotation.people.services import members
from annotation.work import kinds as work

MOST_PEOPLE = 1000
DAYS = (1, 7, 30, 90)
ROLES = {
    Role.ANNOTATOR: _("Annotator"),
    Role.RESEARCHER: _("Researcher"),
    Role.MANAGER: _("Manager"),
}


class KindsForm(forms.Form):
    """Kinds of work of a project."""

    kinds = forms.MultipleChoiceField(
        label=_("Work"), widget=forms.CheckboxSelectMultiple, required=False
    )

    def __init__(self, *args: Any, project: Project, **options: Any) -> None:
        super().__init__(*args, **options)
        self.project = project
        self.fields["kinds"].choices = [  # type: ignore[attr-defined]
            (kind.name, kind.title_in(project)) for kind in work.of_project(project)
        ]


class ExpiringForm(forms.Form):
    """A link that is valid for some days."""

    days = forms.TypedChoiceField(
        label=_("Valid for"),
        choices=lambda: [(days, ngettext("%d day", "%d days", days) % days) for days in DAYS],
        coerce=int,
        initial=7,
    )

    def offer(self) -> dict[str, Any]:
        """Return the keyword arguments of the service that creates the link."""
        offer = dict(self.cleaned_data)
        return offer | {"expires_at": timezone.now() + timedelta(days=offer.pop("days"))}


class PlaceForm(KindsForm):
    """A member's role and permissions in a project."""

    role = forms.ChoiceField(
        label=_("Role"),
        choices=list(ROLES.items()),
        help_text=_(
            "Annotators work blind. Researchers can read the results. Managers can change "
            "everything."
        ),
    )
    despite_votes = forms.BooleanField(
        label=_("Assign work even though they can see votes"),
        required=False,
        help_text=_(
            "Managers and researchers can see sources and votes. They get no work unless you tick "
            "this, and the history records it."
        ),
    )
    field_order: tuple[str, ...] = ("role",)

    def clean(self) -> dict[str, Any]:
        """Withhold work from those who can see votes, unless that is allowed."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        kinds, despite = values.get("kinds", []), values.pop("despite_votes", False)
        values["kinds"] = members.allowed_kinds(
            values.get("role", ""), kinds, despite_votes=despite
        )
        self.withholds = len(values["kinds"]) < len(kinds)
        return values


class InvitationForm(PlaceForm, ExpiringForm):
    """A new invitation: role, number of people and days until it expires."""

    most_people = forms.IntegerField(
        label=_("Maximum number of people"), min_value=1, max_value=MOST_PEOPLE, initial=1
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=200,
        required=False,
        help_text=_("Who the link is for. Visible to managers only."),
    )
    field_order = ("note", "role", "kinds", "despite_votes", "most_people", "days")

    def __init__(self, *args: Any, project: Project, **options: Any) -> None:
        super().__init__(*args, project=project, **options)
        needed, field = work.people_needed(project), self.fields["most_people"]
        field.initial = max(1, needed - project.memberships.filter(role=Role.ANNOTATOR).count())
        text = ngettext(
            "At least %(n)s person is needed.", "At least %(n)s people are needed.", needed
        )
        field.help_text = text % {"n": needed}
        if len(work.usual(project)) > 1:
            reason = _("Nobody does two kinds of work on the same item.")
            field.help_text = f"{field.help_text} {reason}"


class AgreementForm(forms.Form):
    """Explicit agreement to one version of the consent text."""

    version = forms.CharField(max_length=64)
    agreed = forms.BooleanField()


class QualifyingForm(forms.Form):
    """A newcomer's answer to a pair of the qualification set."""

    item = forms.UUIDField()
    label = forms.IntegerField(min_value=0, max_value=99)
