"""The operator's file of webhooks (docs/operator/events.md), and the secrets that sign them."""

import base64
import binascii
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks

from accounts.models import Event
from generation.endpoints.config import is_near

# As Standard Webhooks has it: the prefix, then 24 to 64 bytes in base64.
PREFIX, SHORTEST, LONGEST = "whsec_", 24, 64
LISTS = ("events", "projects")


class BadSecret(Exception):
    """The secret of a target cannot be used; the message says why, without the secret."""


class BadFile(Exception):
    """The file of webhooks has errors: while it has, events wait."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address that gets events: of all kinds and projects, unless it names some."""

    name: str
    address: str
    secret_file: str = ""
    secret_env: str = ""
    events: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()

    def takes(self, kind: str, *project: str) -> bool:
        """Return whether it gets a kind of event of a project, by its id and name."""
        is_for_project = not self.projects or not {*self.projects}.isdisjoint(project)
        return is_for_project and (not self.events or kind in self.events)

    @property
    def host(self) -> str:
        """The part of the address that pages show: the rest may be a secret."""
        return urlsplit(self.address).netloc

    def secret(self) -> str:
        """Return the secret in base64. Raises BadSecret."""
        try:
            text = self._secret_text().removeprefix(PREFIX)
            is_long_enough = SHORTEST <= len(base64.b64decode(text, validate=True)) <= LONGEST
        except OSError:
            raise BadSecret("The file of its secret cannot be read by the worker.") from None
        except (ValueError, binascii.Error):
            is_long_enough = False
            text = ""
        if not is_long_enough:
            raise BadSecret(
                f"Its secret must be {PREFIX} and {SHORTEST} to {LONGEST} bytes in base64."
            )
        return text

    def _secret_text(self) -> str:
        if self.secret_file:
            return Path(self.secret_file).read_text("ascii").strip()
        return os.environ.get(self.secret_env, "").strip()


KEYS = [field.name for field in fields(Target) if field.name != "name"]


def targets() -> dict[str, Target]:
    """Return the targets by name, as the file is now; none without a file. Raises BadFile."""
    tables = _tables()
    if problems := list(_problems(tables)):
        raise BadFile(" ".join(problems))
    return {
        name: Target(name, **{key: _plain(value) for key, value in table.items()})
        for name, table in tables.items()
    }


def problem() -> str:
    """Return what is wrong in the file, "" if nothing is."""
    try:
        targets()
    except BadFile as error:
        return str(error)
    return ""


def check(**_options: Any) -> list[checks.CheckMessage]:
    """Report what is wrong in the file: for `manage.py check`. Secrets are not read."""
    if not (text := problem()):
        return []
    hint = f"Correct {settings.WEBHOOKS_FILE}. Until then, events wait."
    return [checks.Warning(f"Webhooks: {text}", hint=hint, id="pawsmith.W002")]


def _tables() -> dict[str, Any]:
    if not settings.WEBHOOKS_FILE:
        return {}
    path = Path(settings.WEBHOOKS_FILE)
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadFile(f"{path} cannot be read: {reason}.") from error


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _problems(tables: Mapping[str, Any]) -> Iterator[str]:
    for name, table in tables.items():
        if not re.fullmatch(r"[a-z0-9-]{1,30}", name):
            yield f"[{name}]: a name has 1 to 30 of a-z, 0-9 and -."
        elif not isinstance(table, dict):
            yield f"{name}: this must be a table: write [{name}] above its lines."
        else:
            yield from (f"[{name}] {text}" for text in _problems_of(table))


def _problems_of(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if text := _value_problem(key, value):
            yield f"{key}: {text}"
    if "address" not in table:
        yield "address: this is missing."
    if bool(table.get("secret_file")) == bool(table.get("secret_env")):
        yield "secret_file: name either secret_file or secret_env."


def _value_problem(key: str, value: Any) -> str:
    if key not in KEYS:
        return f"there is no such key. Keys are {', '.join(KEYS)}."
    if key not in LISTS:
        if not isinstance(value, str):
            return "this must be a text."
        return _address_problem(value) if key == "address" else ""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        return "this must be a list of texts."
    if key == "events" and (unknown := sorted({*value} - {*Event.Kind.values})):
        return f"no event is called {unknown[0]}. Events are {', '.join(Event.Kind)}."
    return ""


def _address_problem(address: str) -> str:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", urlsplit("")
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", address):
        return "write the whole address, such as https://lab.example/pawsmith."
    if parts.username is not None or parts.password is not None or parts.fragment:
        return "it must have no user, password or #."
    if parts.scheme == "http" and not is_near(host):
        return "others could read what is sent: use https."
    return ""
