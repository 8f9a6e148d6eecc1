"""API tokens: shown once, stored as digests (knox), and valid for a limited time."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import AccessToken, User

MAX_DAYS = 3650


@transaction.atomic
def create(
    *,
    user: User,
    by: User | None = None,
    scope: str = AccessToken.Scope.READ,
    name: str = "",
    days: int | None = None,
) -> str:
    """Create a token for `user` and return its text, which cannot be read again.

    `scope` limits what it can do (accounts/scopes.py), `name` is a label for its holder. `by` is
    recorded; None means the command line. Without `days` it is valid for the TOKEN_TTL of the
    settings. Raises ValueError for an unknown scope, `days` outside 1 to MAX_DAYS, a name that is
    too long, and users who cannot sign in: simulated and inactive ones.
    """
    if user.is_simulated or not user.is_active:
        raise ValueError(f"{user.username} cannot sign in, so a token would be useless.")
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise ValueError(f"A token is valid for 1 to {MAX_DAYS} days.")
    if len(name) > (longest := AccessToken._meta.get_field("name").max_length or 0):
        raise ValueError(f"The name of a token has at most {longest} characters.")
    life = settings.REST_KNOX["TOKEN_TTL"] if days is None else timedelta(days=days)
    token: str = AccessToken.objects.create(
        user=user, expiry=life, scope=AccessToken.Scope(scope), name=name
    )[1]
    audit.record(Act.TOKEN_MADE, by=by, on=user, scope=scope, days=life.days)
    return token


def of_user(user: User) -> QuerySet[AccessToken]:
    tokens: QuerySet[AccessToken] = AccessToken.objects.filter(user=user)
    return tokens.order_by("-created", "pk")


@transaction.atomic
def revoke(*, user: User, handle: str) -> None:
    """Delete the user's token with this handle (`AccessToken.handle`), if any."""
    number, _each = of_user(user).filter(pk__startswith=handle).delete()
    if number:
        audit.record(Act.TOKEN_REVOKED, by=user, on=user)
