"""Requests made up from the schema of REST, good and bad ones, sent to the application in-process.

Whatever the schema does not promise is a failure: a status, a type of content, the shape of an
answer, and every answer that says that the server is at fault.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import product
from typing import Any, cast

import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import FailureGroup

from accounts import tokens
from accounts.models import User
from tests.annotation.api.oddities import ODDITIES, Oddity
from tests.annotation.api.routes import addresses
from tests.annotation.filled import Filled, person

ROLES = ("stranger", "annotator", "researcher", "manager")
# Of whom much is told, for there is most to be seen.
OFTEN = {"researcher": 2, "manager": 4}
KEPT_CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
# A token of each scope, and more often one that can do all.
SCOPES = ("manage", "manage", "read", "releases")
Holder = tuple[User, str]
MOST_FAILURES = 50
# Ends the token that it is sent with.
REVOKES = "/api/tokens/current/"


@dataclass
class Outcome:
    """What came of all requests."""

    cases: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return self.cases.total()

    def failed(self, case: Case[Any], why: str) -> None:
        """Keep the first of each kind, with the request that shows it."""
        key = f"{case.operation.label}: {why.splitlines()[0]}"
        if len(self.failures) < MOST_FAILURES:
            self.failures.setdefault(key, f"{why}\n{case.as_curl_command()}")


@dataclass(frozen=True)
class Fuzzer:
    """Makes requests about a study, and judges what is answered. What is written is written."""

    study: Filled
    outcome: Outcome = field(default_factory=Outcome)

    def run(self, *, examples: int, seeded: int = 0) -> Outcome:
        """At most so many requests of each mode to each operation, by people of all roles; fewer
        where there are not so many different ones."""
        load_all_checks()
        leads = leading(self.study)
        holders = [
            (user, tokens.create(user=user, scope=scope))
            for user, scope in product(self._users(), SCOPES)
            for _ in range(OFTEN.get(user.username, 1))
        ]
        with _one_connection():
            for operation, mode in product(operations(), MODES):
                ask = self._asker(operation, mode, leads[operation.path], holders)
                # Where there is nothing to be given, nothing wrong can be given.
                with suppress(*[Unsatisfiable] * (mode is GenerationMode.NEGATIVE)):
                    _repeated(ask, examples, seeded)()
        return self.outcome

    def _asker(
        self,
        operation: Any,
        mode: GenerationMode,
        leads: list[dict[str, Any]],
        holders: list[Holder],
    ) -> Callable[..., None]:
        made = operation.as_strategy(generation_mode=mode)

        @given(made, st.sampled_from([None, *leads * 2]), st.sampled_from(holders), ODDITIES)
        def ask(
            case: Case[Any], values: dict[str, Any] | None, holder: Holder, oddity: Oddity
        ) -> None:
            if values is not None:
                case.path_parameters = dict(values)
            if oddity.method and oddity.method.lower() not in set(operation.schema[operation.path]):
                case.method = cast(Any, oddity.method)
            if values is not None and isinstance(case.body, dict):
                case.body |= self._there(case.body)
            user, token = holder
            ends = operation.path == REVOKES
            self._judge(case, tokens.create(user=user) if ends else token, oddity)

        return ask

    def _there(self, body: dict[str, Any]) -> dict[str, Any]:
        """What a body names, as it is there; so that the rest of the body is looked at."""
        run = self.study.project.runs.earliest("pk")
        there = {"project": str(self.study.project.public_id), "corpora": [run.corpus.name]}
        return {name: there[name] for name in there.keys() & body.keys()}

    def _users(self) -> list[User]:
        there = {user.username: user for user in User.objects.filter(username__in=ROLES)}
        made = [there.get(role) or person(role, self.study.project) for role in ROLES]
        return [user for user in made if user is not None]

    def _judge(self, case: Case[Any], token: str, oddity: Oddity) -> None:
        """Send a request, count it, and keep what is wrong with the answer."""
        checks: Any = CHECKS.get_by_names(list(KEPT_CHECKS))
        self.outcome.cases[case.operation.label] += 1
        try:
            shown = {"Authorization": f"Token {token}"}
            response = case.call(**oddity.sent | {"headers": shown | oddity.headers})
            self.outcome.statuses[response.status_code] += 1
            case.validate_response(response, checks=checks)
        except FailureGroup as group:
            for failure in group.exceptions:
                why = f"{failure.title}: {failure.message}"
                self.outcome.failed(case, f"{why}\n{oddity}")
        except Exception as error:  # what the application lets through is its fault
            self.outcome.failed(case, f"{type(error).__name__}: {error}\n{oddity}")


@contextmanager
def _one_connection() -> Iterator[None]:
    """Requests end without closing this process's connection, as those of Django's own client."""
    ends = (request_started, request_finished)
    for signal in ends:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in ends:
            signal.connect(close_old_connections)


def _repeated(ask: Callable[..., None], examples: int, seeded: int) -> Callable[[], None]:
    often = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    return seed(seeded)(often(ask))


def operations() -> list[Any]:
    """Those of the schema, bound to the application of this process."""
    generator = cast(Any, SchemaGenerator)()
    document = generator.get_schema(request=None, public=True)
    schema: Any = schemathesis.openapi.from_dict(document)
    schema.app = WSGIHandler()
    return [found.ok() for found in schema.get_all_operations()]


def leading(study: Filled) -> dict[str, list[dict[str, Any]]]:
    """For each path of the schema, what leads to something that is there."""
    there = list(addresses(study).values())
    paths = {operation.path for operation in operations()}
    return {path: [found for each in there if (found := _values(path, each))] for path in paths}


def _values(path: str, address: str) -> dict[str, str]:
    pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)
    match = re.fullmatch(pattern, address)
    return match.groupdict() if match else {}
