"""Forms of the account pages: sign-up, passwords, codes of the second factor."""

from datetime import timedelta
from typing import Any

from allauth.account import forms
from allauth.core import context
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as code_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.socialaccount import forms as provider_forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from accounts import limits, studies
from accounts.limits import Purpose
from accounts.models import User
from accounts.second_factor import Unreadable

# Longer than a code is valid: its own 30 seconds, and 30 seconds before and after.
SPENT_FOR = timedelta(minutes=2)


class Joining:
    """A form of a new account that creates account and membership in one transaction."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Return the account, or None and a response that shows why there is none."""
        try:
            with transaction.atomic():
                user, reply = super().try_save(request)  # type: ignore[misc]
                studies.join(request.session[studies.INVITATION], user)
        except studies.Closed as closed:
            return None, _reload_page(request, str(closed))
        except IntegrityError:
            return None, _reload_page(
                request, _("This user name was just taken. Choose another one.")
            )
        return user, reply


class SignupForm(Joining, forms.SignupForm):
    """User name and password."""


class ProviderSignupForm(Joining, provider_forms.SignupForm):
    """The user name of a person whom the provider has identified."""

    def _get_signup_fields(self, kwargs: dict[str, Any]) -> dict[str, Any]:
        # allauth takes it, even where it is False, to mean that there is a field for an address.
        del kwargs["email_required"]
        return super()._get_signup_fields(kwargs)  # type: ignore[no-any-return]


class ChangePasswordForm(forms.ChangePasswordForm):
    def clean_oldpassword(self) -> str:
        with limits.sign_in_attempt(Purpose.PASSWORD, self.user, context.request) as attempt:
            password: str = super().clean_oldpassword()
            attempt.succeeded()
        return password


class LinkPasswordForm(forms.ResetPasswordKeyForm):
    """The password of a link, once: who mistypes it gets another link."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        del self.fields["password2"]


class OneCode(code_forms.BaseAuthenticateForm):
    """Checks a code from the app or a recovery code."""

    user: User

    def clean_code(self) -> str:
        """Return the code. Raises TooManyTries before the code is checked."""
        with limits.sign_in_attempt(Purpose.CODE, self.user, context.request) as attempt:
            code = self._read_code()
            attempt.succeeded()
        return _spend_code(code, self.user)

    def _read_code(self) -> str:
        try:
            code: str = super().clean_code()
        except Unreadable as error:
            raise ValidationError(
                _(
                    "This installation can no longer read your codes. Ask an administrator to "
                    "reset your two-factor authentication, then set it up again."
                )
            ) from error
        return code


class AuthenticateForm(OneCode, code_forms.AuthenticateForm):
    """The code at sign-in, after the password."""


class ReauthenticateForm(OneCode, code_forms.ReauthenticateForm):
    """The code for an action that requires recent authentication."""


class ActivateForm(ActivateTOTPForm):
    """The code that sets up an app opens no sign-in afterwards."""

    def clean_code(self) -> str:
        return _spend_code(super().clean_code(), self.user)


def _spend_code(code: str, user: User) -> str:
    """Return the code, and spend it. Raises ValidationError if it was spent before."""
    # RFC 6238, section 5.2: a code that was observed cannot be used again.
    if not limits.is_first(f"code {normalize_user_code(code)}", user, within=SPENT_FOR):
        raise get_adapter().validation_error("incorrect_code")
    return code


def _reload_page(request: HttpRequest, why: str) -> HttpResponse:
    """Reload the page with an error message, as sign-up may have closed meanwhile."""
    messages.error(request, why)
    return HttpResponseRedirect(request.get_full_path())
