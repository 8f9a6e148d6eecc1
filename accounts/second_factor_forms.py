"""Forms for two-factor codes: attempts are limited, and each code is accepted once."""

from datetime import timedelta

from allauth.core import context
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts import limits
from accounts.limits import Purpose
from accounts.models import User
from accounts.second_factor import Unreadable

# Longer than a code is valid: its own 30 seconds, and 30 seconds before and after.
SPENT_FOR = timedelta(minutes=2)


class OneCode(forms.BaseAuthenticateForm):
    """Checks a code from the app or a recovery code."""

    user: User

    def clean_code(self) -> str:
        """Return the code. Raises TooManyTries before the code is checked."""
        with limits.a_try(Purpose.CODE, self.user, context.request) as this:
            code = self._looked_at()
            this.succeeded()
        # RFC 6238, section 5.2: a code that was observed cannot be used again.
        if not limits.is_first(f"code {normalize_user_code(code)}", self.user, within=SPENT_FOR):
            raise get_adapter().validation_error("incorrect_code")
        return code

    def _looked_at(self) -> str:
        try:
            code: str = super().clean_code()
        except Unreadable as error:
            raise ValidationError(
                _(
                    "This installation can no longer read what your codes are made of. Ask "
                    "whoever runs it to forget your second factor, then set it up anew."
                )
            ) from error
        return code


class AuthenticateForm(OneCode, forms.AuthenticateForm):
    """The code at sign-in, after the password."""


class ReauthenticateForm(OneCode, forms.ReauthenticateForm):
    """The code for an action that requires recent authentication."""
