"""Sessions in the database, as Django keeps them, but read together with the account.

Each request needs both, so reading them in one statement makes every answer cheaper. The rules are
Django's: `django.contrib.auth.get_user` compares the session with the password, and the
backend refuses accounts that are not active.
"""

from functools import cache
from typing import Any, cast

from allauth.account.auth_backends import AuthenticationBackend
from allauth.core import context
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import Session, User
from common.columns import Columns

ACCOUNT = Columns(User, "account")


class SessionStore(db.SessionStore):
    """Stores the person of a session in a column, and loads their account with the session."""

    account: User | None = None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        session = cast(Session, super().create_model_instance(data))
        session.user_id = data.get(SESSION_KEY)
        return session

    def load(self) -> dict[str, Any]:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        with connection.cursor() as cursor:
            cursor.execute(_statement(), [self.session_key, now])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None  # as Django does, so that no client can choose a key
            return {}
        session_data, *account = row
        self.account = None if account[0] is None else ACCOUNT.instance(account)
        return self.decode(session_data)


class Backend(AuthenticationBackend):
    """Uses the account that was loaded with the session of the request."""

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Check a password, unless passwords are switched off."""
        user: User | None = super().authenticate(request, **credentials)
        return user if settings.PASSWORDS else None

    def get_user(self, user_id: int) -> User | None:
        session = getattr(context.request, "session", None)
        account: User | None = getattr(session, "account", None)
        if account is None or account.pk != user_id:
            user: User | None = super().get_user(user_id)
            return user
        return account if self.user_can_authenticate(account) else None


@cache
def _statement() -> str:
    return f"""
SELECT session.session_data, {ACCOUNT.sql} FROM accounts_session session
LEFT JOIN accounts_user account ON account.id = session.user_id
WHERE session.session_key = %s AND session.expire_date > %s"""  # noqa: S608 all parts are constants
