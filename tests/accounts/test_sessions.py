"""Sessions are read as Django would read them."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.sessions import SessionStore

pytestmark = pytest.mark.django_db


@pytest.fixture
def key():
    session = SessionStore()
    session["name"] = "Ada"
    session.create()
    return session.session_key


def test_what_was_stored_is_read_again(key):
    assert SessionStore(key)["name"] == "Ada"


def test_a_session_that_has_run_out_is_empty_and_forgets_its_key(key):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    late = SessionStore(key)
    assert "name" not in late
    assert late.session_key is None


def test_an_unknown_key_is_nobodys():
    unknown = SessionStore("x" * 32)
    assert "name" not in unknown
    assert unknown.session_key is None


def test_a_session_costs_one_statement(key, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert SessionStore(key)["name"] == "Ada"
