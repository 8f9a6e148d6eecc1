"""Sessions are read with their account in one statement, and as Django would read them."""

from datetime import timedelta

import pytest
from django.contrib.auth import SESSION_KEY
from django.utils import timezone

from accounts.models import Session, User
from accounts.sessions import SessionStore
from operations import tasks
from operations.management.commands.worker import CHORES
from tests.accounts.conftest import session_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


@pytest.fixture
def ada():
    return User.objects.create_user("ada", shortcuts={"same": "y"})


def test_a_session_is_read_with_its_account_in_one_statement(ada, django_assert_num_queries):
    store = SessionStore(session_of(ada).session.session_key)
    with django_assert_num_queries(1):
        assert store[SESSION_KEY] == str(ada.pk)
    assert vars(store.account) | {"_state": None} == vars(User.objects.get(pk=ada.pk)) | {
        "_state": None
    }


def test_an_expired_session_is_empty_without_a_key(ada):
    key = session_of(ada).session.session_key
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    late = SessionStore(key)
    assert (late.get(SESSION_KEY), late.session_key, late.account) == (None, None, None)


def test_closing_an_account_ends_its_sessions_at_once(ada):
    browser = session_of(ada)
    assert browser.get("/").status_code == 200
    User.objects.update(is_active=False)
    assert browser.get("/").status_code == 302


def test_a_new_password_ends_earlier_sessions(ada):
    browser = session_of(ada)
    ada.set_password("another-quiet-orchard")
    ada.save()
    assert browser.get("/").status_code == 302


def test_a_session_signed_with_a_former_key_stays_valid(ada, settings):
    browser, former = session_of(ada), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new", [former]
    assert browser.get("/").status_code == 200


def test_workers_delete_only_expired_sessions(ada):
    expired, current = session_of(ada).session, session_of(ada).session
    over = timezone.now() - timedelta(seconds=1)
    Session.objects.filter(pk=expired.session_key).update(expire_date=over)
    tasks.clear_sessions()
    assert Session.objects.get().pk == current.session_key
    assert SessionStore.clear_expired in dict(CHORES)
