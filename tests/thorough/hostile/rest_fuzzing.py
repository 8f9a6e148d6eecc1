"""Requests made up from the schema of REST, good and bad ones, sent to the application in-process.

Whatever the schema does not promise is a failure: a status, a type of content, the shape of an
answer, and every answer that says that the server is at fault.
"""

import re
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import product

import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import FailureGroup

from accounts import tokens
from accounts.models import User
from tests.annotation.api import oddities
from tests.annotation.api.routes import addresses
from tests.annotation.filled import person

# Each with a token of each scope; more often such as may do much.
ROLES = ("stranger", "annotator", *["researcher"] * 2, *["manager"] * 4)
SCOPES = ("manage", "manage", "read", "releases")
CHECKED = ("status_code", "content_type", "response_headers", "response_schema")
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
MOST_FAILURES = 50
REVOKES = "/api/tokens/current/"  # ends the token that it is sent with


def _oddities():
    """What is changed of a request: its headers, query, method and body. Half stay as they are."""
    of_headers = [
        st.sampled_from(values).map(lambda value, name=name: {"headers": {name: value}})
        for name, values in oddities.HEADERS.items()
    ]
    parts = st.builds(
        lambda part, etag: {"headers": {"Range": part, "If-Range": etag}},
        st.sampled_from(oddities.RANGES),
        st.sampled_from([*oddities.ETAGS, *oddities.HEADERS["If-Modified-Since"]]),
    )
    bodies = st.builds(
        lambda kind, data, method: {
            "headers": {"Content-Type": kind},
            "data": data,
            "method": method,
        },
        st.sampled_from(oddities.KINDS),
        st.sampled_from(oddities.BODIES),
        st.sampled_from([None, *oddities.METHODS]),
    )
    queries = st.sampled_from(oddities.QUERIES).map(lambda query: {"params": query})
    other_methods = st.sampled_from(oddities.METHODS).map(lambda method: {"method": method})
    odd = st.one_of(*of_headers, parts, bodies, queries, other_methods)
    return st.booleans().flatmap(lambda is_odd: odd if is_odd else st.just({}))


@dataclass
class Outcome:
    """What came of all requests."""

    cases: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def total(self):
        return self.cases.total()

    def failed(self, case, why, odd):
        """Keep the first of each kind, with the request that shows it."""
        key = f"{case.operation.label}: {why.splitlines()[0]}"
        if len(self.failures) < MOST_FAILURES:
            self.failures.setdefault(key, f"{why}\n{odd}\n{case.as_curl_command()}")


class Fuzzer:
    """Makes requests about a study, and judges the answers. What is written is written."""

    def __init__(self, study):
        self.study, self.outcome = study, Outcome()

    def run(self, *, examples, seeded=0):
        """At most so many requests of each mode to each operation, by people of all roles; fewer
        where there are not so many different ones."""
        load_all_checks()
        project = self.study.project
        users = {role: User.objects.filter(username=role).first() for role in ROLES}
        users = {role: user or person(role, project) for role, user in users.items()}
        holders = [
            (users[role], tokens.create(user=users[role], scope=scope))
            for role, scope in product(ROLES, SCOPES)
        ]
        there = list(addresses(self.study).values())
        often = settings(
            max_examples=examples,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )
        with _one_connection():
            for operation, mode in product(operations(), MODES):
                ask = self._asker(operation, mode, _leading(operation.path, there), holders)
                # Where there is nothing to be given, nothing wrong can be given.
                with suppress(*[Unsatisfiable] * (mode is GenerationMode.NEGATIVE)):
                    seed(seeded)(often(ask))()
        return self.outcome

    def _asker(self, operation, mode, leads, holders):
        made = operation.as_strategy(generation_mode=mode)

        @given(made, st.sampled_from([None, *leads * 2]), st.sampled_from(holders), _oddities())
        def ask(case, values, holder, odd):
            odd, (user, token) = dict(odd), holder
            method = odd.pop("method", None)
            if values is not None:
                case.path_parameters = dict(values)
            if method and method.lower() not in set(operation.schema[operation.path]):
                case.method = method
            if values is not None and isinstance(case.body, dict):
                case.body |= self._there(case.body)
            self._judge(case, tokens.create(user=user) if operation.path == REVOKES else token, odd)

        return ask

    def _there(self, body):
        """What a body names, as it is there; so that the rest of the body is looked at."""
        run = self.study.project.runs.earliest("pk")
        there = {"project": str(self.study.project.public_id), "corpora": [run.corpus.name]}
        return {name: there[name] for name in there.keys() & body.keys()}

    def _judge(self, case, token, odd):
        """Send a request, count it, and keep what is wrong with the answer."""
        names = ["not_a_server_error", *(f"{each}_conformance" for each in CHECKED)]
        self.outcome.cases[case.operation.label] += 1
        headers = {"Authorization": f"Token {token}"} | odd.get("headers", {})
        try:
            response = case.call(**odd | {"headers": headers})
            self.outcome.statuses[response.status_code] += 1
            case.validate_response(response, checks=CHECKS.get_by_names(names))
        except FailureGroup as group:
            for failure in group.exceptions:
                self.outcome.failed(case, f"{failure.title}: {failure.message}", odd)
        except Exception as error:  # what the application lets through is its fault
            self.outcome.failed(case, f"{type(error).__name__}: {error}", odd)


@contextmanager
def _one_connection():
    """Requests end without closing this process's connection, as those of Django's own client."""
    ends = (request_started, request_finished)
    for signal in ends:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in ends:
            signal.connect(close_old_connections)


def operations():
    """Those of the schema, bound to the application of this process."""
    document = SchemaGenerator().get_schema(request=None, public=True)
    schema = schemathesis.openapi.from_dict(document)
    schema.app = WSGIHandler()
    return [found.ok() for found in schema.get_all_operations()]


def _leading(path, addresses):
    """What, put into a path of the schema, leads to something that is there."""
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))
    return [found.groupdict() for each in addresses if (found := pattern.fullmatch(each))]
