"""What the pages of accounts accept."""

from allauth.account import forms
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from accounts import sign_up
from accounts.models import User


class SignupForm(forms.SignupForm):
    """A user name and a password; the account and its place in the project are made together."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """The account, or else a reply that says why there is none."""
        try:
            with transaction.atomic():
                user, reply = super().try_save(request)
                sign_up.join(request.session, user)
        except sign_up.Closed as closed:
            return None, _once_more(request, str(closed))
        except IntegrityError:
            return None, _once_more(request, _("Somebody else has just taken this user name."))
        return user, reply


def _once_more(request: HttpRequest, why: str) -> HttpResponse:
    """Back to the page, which says why, and is open or closed by now."""
    messages.error(request, why)
    return HttpResponseRedirect(request.get_full_path())
