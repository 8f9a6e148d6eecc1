"""Whatever a manager changes in a project is on its record, in the same moment."""

import copy
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver

from accounts import audit
from accounts.models import AuditEntry
from annotation import urls
from tests.annotation.views.deeds import DEEDS, Deed
from tests.browser.house import House, house

pytestmark = pytest.mark.django_db

# Of people who answer: what they send is rows of their own, and no act of a manager.
ANSWERING = {
    *("judge", "undo_judgment", "skip_judgment", "correct", "undo_correction", "skip_correction"),
    *("welcome", "begin", "qualify", "begin_attempt", "join", "notices"),
}
# What is sent there to be looked at.
LOOKING = {"preview", "check_protocol"}
WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE)(?: OR IGNORE)?(?: INTO| FROM)? \"?(\w+)")
# Kept by the way of a request, whoever makes it; and the record itself.
PASSING = {"django_session", "django_admin_log", "accounts_auditentry"}


@contextmanager
def written() -> Iterator[set[str]]:
    """The tables in which rows change meanwhile."""
    tables: set[str] = set()

    def look(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        result = execute(sql, parameters, many, context)
        match = WRITES.match(sql)
        # SQLite counts what is inserted only once all of it is read.
        if match and (match[1] == "INSERT" or context["cursor"].rowcount):
            tables.add(match[2])
        return result

    with connection.execute_wrapper(look):
        yield tables
    tables -= PASSING


@pytest.fixture
def study() -> House:
    return house()


@pytest.fixture
def manager(study: House) -> Client:
    client = Client()
    client.force_login(study.person("manager"))
    return client


def refusal(reply: HttpResponse) -> object:
    """Why nothing was done, as far as the page says so."""
    said = [str(each) for each in get_messages(reply.wsgi_request)]
    return (
        reply.status_code,
        said,
        reply.context and getattr(reply.context.get("form"), "errors", ""),
    )


@contextmanager
def undone() -> Iterator[None]:
    """What happens within has never been: one study serves for all deeds."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def complaint(manager: Client, study: House, deed: Deed) -> object:
    """What is amiss with the record of a deed, if anything is."""
    sent = deed.sent(manager, study)
    before = AuditEntry.objects.count()
    with written() as tables:
        reply = manager.post(study.address(deed.route) + deed.query, sent)
    if not tables:
        return "nothing was done", refusal(reply)
    entries = AuditEntry.objects.all()[: AuditEntry.objects.count() - before]
    if deed.act not in [entry.act for entry in entries]:
        return "no record", entries
    others = {entry.by for entry in entries} - {study.person("manager")}
    return ("by somebody else", others) if others else None


def test_what_a_manager_does_is_on_record(manager, study):
    complaints = {}
    for deed in DEEDS:
        with undone():
            complaints[deed.route, deed.act] = complaint(manager, copy.deepcopy(study), deed)
    assert {deed: said for deed, said in complaints.items() if said} == {}
    assert len(complaints) == len(DEEDS)


def test_control_without_a_record_it_is_noticed(manager, study, monkeypatch):
    monkeypatch.setattr(audit, "record", lambda *_, **__: None)
    [deed] = [deed for deed in DEEDS if deed.route == "give_priority"]
    said, _ = complaint(manager, study, deed)
    assert said == "no record"


def routes(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from routes(each.url_patterns)
        elif each.name:
            yield each.name


def test_no_page_takes_what_is_not_tried_here(manager, study):
    tried = {deed.route for deed in DEEDS}
    for route in set(routes(urls.urlpatterns)) - ANSWERING - tried:
        with written() as tables:
            reply = manager.post(study.address(route), {})
        assert reply.status_code in (404, 405) or route in LOOKING, route
        assert not tables, route
