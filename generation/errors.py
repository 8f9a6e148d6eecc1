"""Errors of generation, with messages for project managers."""

from collections.abc import Mapping
from typing import TypeAlias

from django.conf import settings

Identities: TypeAlias = Mapping[str, Mapping[str, str]]


class GenerationError(Exception):
    """Base class: the request was not carried out. `str(error)` can be shown to the user."""


class UnknownMethod(GenerationError):
    """No method of this name is registered."""


class WrongMethod(GenerationError):
    """The project has no use for the results of this method."""


class BadSettings(GenerationError):
    """The settings of a run are invalid for its method; the message says which."""


class WrongLanguage(GenerationError):
    """The method or its models are for another language than that of the corpus."""


class MissingModel(GenerationError):
    """A model in the settings cannot be loaded; the message says which and why.

    Paths begin within the data folder or the source: other people learn nothing else of the server.
    """

    def __init__(self, message: str) -> None:
        for folder in (settings.DATA_DIR, settings.BASE_DIR):
            message = message.replace(f"{folder}/", "")
        super().__init__(message)


class NoSentences(GenerationError):
    """The corpus has no sentences to rewrite."""


class ModelsChanged(GenerationError):
    """The models have changed since the run began, so its rows could not be reproduced.

    Takes their identities at its beginning and now, by what they are used for.
    """

    def __init__(self, before: Identities, now: Identities) -> None:
        changed = [
            f"{name} was {_identity(before.get(name))} and is {_identity(now.get(name))}"
            for name in sorted(before.keys() | now.keys())
            if before.get(name) != now.get(name)
        ]
        is_of_endpoint = any("served" in identity for identity in now.values())
        advice = (
            "Start a new run, which uses these."
            if is_of_endpoint
            else "Put the earlier files back, restart the worker and retry; or start a new run, "
            "which uses these."
        )
        super().__init__(
            f"The models have changed since the run began: {'; '.join(changed)}. {advice}"
        )


def _identity(identity: Mapping[str, str] | None) -> str:
    return ", ".join((identity or {"": "none"}).values())


class BadLimit(GenerationError):
    """A limit of tokens or cost is not possible; the message says which and why."""


class NotNow(GenerationError):
    """The state of a run does not allow an action; the message says which and why."""


class AtLimit(NotNow):
    """The work has reached a limit and would be paused again immediately."""
