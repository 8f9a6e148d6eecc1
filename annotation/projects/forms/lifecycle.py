"""Forms for a project as a whole: a duplicate's name, the next manager, the name to delete it."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotation.models import Membership, Project, Role

if TYPE_CHECKING:
    MemberField = forms.ModelChoiceField[Membership]
else:
    MemberField = forms.ModelChoiceField


class DuplicateForm(forms.Form):
    """The name of a duplicate, which no other project has."""

    name = forms.CharField(label=_("Name of the duplicate"), max_length=100)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Project.objects.filter(name=name).exists():
            raise forms.ValidationError(gettext("Another project has this name. Choose a new one."))
        return name


class _Members(MemberField):
    def label_from_instance(self, member: Membership) -> str:
        return member.user.get_username()


class TransferForm(forms.Form):
    """Another member who becomes the manager."""

    to = _Members(Membership.objects.none(), label=_("New manager"))

    def __init__(self, *args: Any, member: Membership, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        others = member.project.memberships.exclude(pk=member.pk).exclude(role=Role.REMOVED)
        able = others.filter(user__is_active=True, user__is_simulated=False)
        self.fields["to"].queryset = able.select_related("user").order_by("user__username")  # type: ignore[attr-defined]


class DeleteForm(forms.Form):
    """The name of the project, typed again."""

    name = forms.CharField(label=_("Type the name of the project"), max_length=100)

    def __init__(self, *args: Any, project: Project, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        self.project = project

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.project.name:
            raise forms.ValidationError(gettext("This doesn’t match the project’s name."))
        return name
