"""Forms of a newcomer."""

from django import forms


class AgreementForm(forms.Form):
    """An explicit agreement, and which text it is to."""

    version = forms.CharField(max_length=64)
    agreed = forms.BooleanField()


class QualifyingForm(forms.Form):
    """A newcomer's answer to a pair of the qualification set."""

    item = forms.UUIDField()
    label = forms.IntegerField(min_value=0, max_value=99)
