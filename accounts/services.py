"""The first administrator, and links to choose a password."""

from itertools import count

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse

from accounts.models import User

FIRST = "administrator"


def ensure_administrator() -> User | None:
    """Return the administrator who has no password yet, and create one if there is none.

    The account is called FIRST, with a number if another account has that name. Returns None once
    an administrator can sign in.
    """
    administrators = User.objects.filter(is_superuser=True, is_active=True)
    if any(person.has_usable_password() for person in administrators):
        return None
    # Without a password, the account is accessible only through a password link.
    return administrators.order_by("pk").first() or User.objects.create_superuser(
        username=_free_name(), password=None
    )


def password_link(*, user: User) -> str:
    """Return the path of a page on which `user` chooses a password without the old one.

    It works once and expires after PASSWORD_RESET_TIMEOUT. Raises ValueError for an erased account.
    """
    if user.erased_at is not None:
        raise ValueError(f"{user.username} was erased.")
    key = default_token_generator.make_token(user)
    keys = {"uidb36": user_pk_to_url_str(user), "key": key}
    return reverse("account_reset_password_from_key", kwargs=keys)


def _free_name() -> str:
    """Return a name that no account has in any spelling: names are looked up without case."""
    names = (FIRST if number == 1 else f"{FIRST}-{number}" for number in count(1))
    return next(name for name in names if not User.objects.filter(username__iexact=name).exists())
