"""Requests made up from the schema of REST, good and bad ones, sent to the application in-process.

Whatever the schema does not promise is a failure: a status, a type of content, the shape of an
answer, and every answer that says that the server is at fault.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import product
from typing import Any
from unittest.mock import patch

import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import FailureGroup
from schemathesis.schemas import APIOperation

from accounts import tokens
from annotation.models import Project
from support import oddities
from support.studies import addresses, person

# Each with a token of each scope; more often such as may do much.
ROLES = ("stranger", "annotator", *["researcher"] * 2, *["manager"] * 4)
SCOPES = ("manage", "manage", "read", "releases")
CHECKED = ("status_code", "content_type", "response_headers", "response_schema")
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
MOST_FAILURES = 50
Operation = APIOperation[Any, Any, Any, Any]
# What is changed of every other request.
ODD: list[dict[str, Any]] = [
    *({"headers": {name: value}} for name in oddities.HEADERS for value in oddities.HEADERS[name]),
    *({"headers": {"Range": "bytes=0-9", "If-Range": etag}} for etag in oddities.ETAGS),
    *({"params": query} for query in oddities.QUERIES),
    *({"method": method} for method in oddities.METHODS),
    *(
        {"headers": {"Content-Type": kind}, "data": body}
        for kind, body in product(oddities.KINDS, oddities.BODIES)
    ),
]


class Outcome:
    """What came of all requests."""

    def __init__(self) -> None:
        self.cases: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.failures: dict[str, str] = {}

    @property
    def total(self) -> int:
        """How many requests were made."""
        return self.cases.total()

    def failed(self, case: Case[Any], why: str, odd: object) -> None:
        """Keep the first of each kind, with the request that shows it."""
        key = f"{case.operation.label}: {why.splitlines()[0]}"
        if len(self.failures) < MOST_FAILURES:
            self.failures.setdefault(key, f"{why}\n{odd}\n{case.as_curl_command()}")


class Fuzzer:
    """Makes requests about a published study and judges the answers; what is written is written."""

    def __init__(self, project: Project) -> None:
        self.project, self.outcome = project, Outcome()
        corpus = project.runs.earliest("pk").corpus.name
        self.there: dict[str, Any] = {"project": str(project.public_id), "corpora": [corpus]}

    def run(self, *, examples: int, seeded: int = 0) -> Outcome:
        """At most `examples` requests of each mode to each operation, by people of all roles."""
        load_all_checks()
        users = {role: person(role, self.project) for role in set(ROLES)}
        holders = [
            tokens.create(user=users[role], scope=scope) for role, scope in product(ROLES, SCOPES)
        ]
        path_values = values_by_path(addresses(self.project).values())
        repeat_settings = settings(
            max_examples=examples,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )
        # Requests end without closing this process's connection, as those of Django's own client.
        with patch.object(request_started, "send"), patch.object(request_finished, "send"):
            for operation, mode in product(operations(), MODES):
                ask = self._asker(operation, mode, path_values[operation.path], holders)
                # Where there is nothing to be given, nothing wrong can be given.
                with suppress(*[Unsatisfiable] * (mode is GenerationMode.NEGATIVE)):
                    seed(seeded)(repeat_settings(ask))()
        return self.outcome

    def _asker(
        self,
        operation: Operation,
        mode: GenerationMode,
        path_values: list[dict[str, str]],
        holders: list[str],
    ) -> Callable[..., None]:
        body_values = self.there
        cases, odds = operation.as_strategy(generation_mode=mode), st.sampled_from(ODD)

        @given(
            cases,
            st.sampled_from([None, *path_values * 2]),
            st.sampled_from(holders),
            st.none() | odds,
        )
        def ask(
            case: Case[Any],
            values: dict[str, str] | None,
            token: str,
            oddities: dict[str, Any] | None,
        ) -> None:
            oddities = dict(oddities or {})
            method = oddities.pop("method", None)
            if method and method.lower() not in set(operation.schema[operation.path]):
                case.method = method
            if values is not None:
                case.path_parameters = dict(values)
                if isinstance(case.body, dict):  # so that the rest of it is looked at
                    case.body |= {
                        name: body_values[name] for name in body_values.keys() & case.body
                    }
            headers = {"Authorization": f"Token {token}"} | oddities.get("headers", {})
            self._judge(case, oddities | {"headers": headers})

        return ask

    def _judge(self, case: Case[Any], sent: dict[str, Any]) -> None:
        """Send a request, count it, and keep what is wrong with the answer."""
        names = ["not_a_server_error", *(f"{check}_conformance" for check in CHECKED)]
        checks: list[Any] = CHECKS.get_by_names(names)
        self.outcome.cases[case.operation.label] += 1
        try:
            response = case.call(**sent)
            self.outcome.statuses[response.status_code] += 1
            case.validate_response(response, checks=checks)
        except FailureGroup as group:
            for failure in group.exceptions:
                self.outcome.failed(case, f"{failure.title}: {failure.message}", sent)
        except Exception as error:  # what the application lets through is its fault
            self.outcome.failed(case, f"{type(error).__name__}: {error}", sent)


def values_by_path(addresses: Iterable[str]) -> dict[str, list[dict[str, str]]]:
    """Return what leads to something that is there, put into each path of the schema.

    An address belongs to the path with the fewest parameters that matches it.
    """
    values: dict[str, list[dict[str, str]]] = {each.path: [] for each in operations()}
    paths = {path: re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)) for path in values}
    for address in addresses:
        matches = [(path, m) for path, regex in paths.items() if (m := regex.fullmatch(address))]
        if matches:
            path, match = min(matches, key=lambda pair: pair[0].count("{"))
            values[path].append(match.groupdict())
    return values


def operations() -> list[Operation]:
    """Those of the schema, bound to the application of this process."""
    generated = SchemaGenerator().get_schema(None, public=True)  # type: ignore[no-untyped-call]
    schema = schemathesis.openapi.from_dict(generated)
    schema.app = WSGIHandler()
    results: Iterable[Any] = schema.get_all_operations()
    return [result.ok() for result in results]  # a faulty operation has no ok()
