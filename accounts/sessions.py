"""Django's database sessions, read with a fixed SQL statement."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

STATEMENT = """
SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"""


class SessionStore(db.SessionStore):
    """Reads the session without the ORM, which would build the same SQL for every request."""

    def _get_session_from_db(self) -> Session | None:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        with connection.cursor() as cursor:
            cursor.execute(STATEMENT, [self.session_key, now])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return None
        return Session(session_key=str(self.session_key), session_data=row[0])
