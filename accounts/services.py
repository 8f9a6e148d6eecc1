"""Making people's accounts, and letting them in."""

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse

from accounts.models import User


def ensure_administrator() -> User | None:
    """The administrator who still has to choose a password, made when there is nobody.

    Returns None once an administrator can sign in.
    """
    administrators = User.objects.filter(is_superuser=True, is_active=True)
    if any(person.has_usable_password() for person in administrators):
        return None
    return administrators.order_by("pk").first() or _create_administrator()


def password_link(*, user: User) -> str:
    """The path of a page on which `user` chooses a password, without giving an old one.

    It works once, and at most for PASSWORD_RESET_TIMEOUT: choosing a password ends it. Raises
    ValueError for an account that was erased: nobody ever comes in by it again.
    """
    if user.erased_at is not None:
        raise ValueError(f"{user.username} was erased.")
    key = default_token_generator.make_token(user)
    keys = {"uidb36": user_pk_to_url_str(user), "key": key}
    return reverse("account_reset_password_from_key", kwargs=keys)


def _create_administrator() -> User:
    # Without a password, the account opens to nobody but the holder of a link.
    return User.objects.create_superuser(username="administrator", password=None)
