"""API tokens: shown to their maker once, kept as digests (knox), and dead after a while."""

from datetime import timedelta

from django.conf import settings

from accounts.models import AccessToken, User

MAX_DAYS = 3650


def create(*, user: User, days: int | None = None) -> str:
    """A new token of `user`: the only moment at which its text is known.

    Without `days` it lives for the TOKEN_TTL of the settings. Raises ValueError for `days` outside
    1 to MAX_DAYS, and for people who cannot sign in: simulated ones, and closed accounts.
    """
    if user.is_simulated or not user.is_active:
        raise ValueError(f"{user.username} cannot sign in, so a token would open nothing.")
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise ValueError(f"A token lives for 1 to {MAX_DAYS} days.")
    life = settings.REST_KNOX["TOKEN_TTL"] if days is None else timedelta(days=days)
    token: str = AccessToken.objects.create(user=user, expiry=life)[1]
    return token
