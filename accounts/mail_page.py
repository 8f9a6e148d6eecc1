"""The page on which managers choose the events that they get mail about."""

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts import studies
from accounts.models import Event
from accounts.views import UNPROCESSABLE, Request


class MailForm(forms.Form):
    mail_address = forms.EmailField(
        label=gettext_lazy("Email address"),
        required=False,
        help_text=gettext_lazy("Used for these mails only."),
    )
    mails = forms.MultipleChoiceField(
        label=gettext_lazy("Send me mail about"),
        choices=Event.Kind.choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def clean(self) -> None:
        """Refuse events without an address."""
        if self.cleaned_data.get("mails") and not self.cleaned_data.get("mail_address", True):
            self.add_error("mail_address", _("Enter the address to which mail is sent."))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mails(request: Request) -> HttpResponse:
    """Show or store the choice. Raises Http404 where no mail is sent."""
    if not settings.SENDS_MAIL:
        raise Http404
    user, is_manager = request.user, studies.are_managed_by(request.user)
    stored = {"mail_address": user.mail_address, "mails": user.mails}
    form = MailForm(request.POST if request.method == "POST" else None, initial=stored)
    if request.method == "POST" and is_manager and form.is_valid():
        user.mails = form.cleaned_data["mails"]
        user.mail_address = form.cleaned_data["mail_address"]
        user.mail_language = get_language() or ""
        user.save(update_fields=["mails", "mail_address", "mail_language"])
        messages.success(request, _("Saved."))
        return redirect("mails")
    status = UNPROCESSABLE if request.method == "POST" else 200
    context = {"form": form, "is_manager": is_manager}
    return render(request, "accounts/mails.html", context, status=status)
