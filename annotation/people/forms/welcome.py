"""Forms for newcomers."""

from django import forms


class AgreementForm(forms.Form):
    """Explicit agreement to one version of the consent text."""

    version = forms.CharField(max_length=64)
    agreed = forms.BooleanField()


class QualifyingForm(forms.Form):
    """A newcomer's answer to a pair of the qualification set."""

    item = forms.UUIDField()
    label = forms.IntegerField(min_value=0, max_value=99)
