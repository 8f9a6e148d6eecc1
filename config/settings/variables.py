"""Environment variables as values of settings.

A wrong one raises ImproperlyConfigured with one line: what is wrong, its name, and a right value.
Values that may contain a password are not shown. Empty texts, which Compose passes on, count as
not set.
"""

from collections.abc import Callable, Collection
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from common.places import env

WORDS = dict.fromkeys(("on", "true", "yes", "1"), True) | dict.fromkeys(
    ("off", "false", "no", "0"), False
)
DATABASES = ("postgres", "postgresql", "psql", "pgsql", "sqlite")
A_DATABASE = "postgres://USER:PASSWORD@HOST:5432/NAME"
A_MAIL_SERVER = "smtp+tls://USER:PASSWORD@HOST:587"


def whole_number(name: str, *, default: int, smallest: int = 0) -> int:
    text = env.str(name, default="").strip() or f"{default}"
    if not (text.isascii() and text.isdigit() and int(text) >= smallest):
        raise ImproperlyConfigured(
            f"{name} is {text!r}. Write a whole number from {smallest}, such as "
            f"{name}={max(default, 1)}."
        )
    return int(text)


def is_on(name: str, *, default: bool) -> bool:
    text = env.str(name, default="").strip()
    if text and text.lower() not in WORDS:
        raise ImproperlyConfigured(f"{name} is {text!r}. Write {name}=on or {name}=off.")
    return WORDS[text.lower()] if text else default


def database(name: str, *, default: str) -> dict[str, Any]:
    """Return the parameters of a Postgres or SQLite database for Django."""
    url = env.str(name, default="") or default
    return _parts(name, url, env.db_url_config, DATABASES, A_DATABASE)


def mail_server(name: str) -> dict[str, Any]:
    """Return Django's settings for the server of mail, none if there is no server."""
    if not (url := env.str(name, default="")):
        return {}
    parts = _parts(name, url, env.email_url_config, env.EMAIL_SCHEMES, A_MAIL_SERVER)
    if url.startswith("smtp") and not parts["EMAIL_HOST"]:
        raise ImproperlyConfigured(f"{name} names no host. Write it as {name}={A_MAIL_SERVER}.")
    return parts


def _parts(
    name: str,
    url: str,
    parse: Callable[[str], dict[str, Any]],
    schemes: Collection[str],
    example: str,
) -> dict[str, Any]:
    scheme, colon, _ = url.partition("://")
    if not colon or scheme not in schemes:
        raise ImproperlyConfigured(
            f"{name} does not begin like {example.partition('USER')[0]}. Write it as "
            f"{name}={example}."
        )
    try:
        return parse(url)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} has no number as the port, or special characters in the password that are not "
            f"escaped (as %23 for #). Write it as {name}={example}."
        ) from error
