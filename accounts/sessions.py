"""Sessions in the database, as Django keeps them, read by a statement that is written once."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

STATEMENT = """
SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"""


class SessionStore(db.SessionStore):
    """Every request reads its session; the ORM would write the SQL for it anew each time."""

    def _get_session_from_db(self) -> Session | None:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        with connection.cursor() as cursor:
            cursor.execute(STATEMENT, [self.session_key, now])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return None
        return Session(session_key=str(self.session_key), session_data=row[0])
