"""The clock for leases: the database's, so that all machines agree."""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Q
from django.utils import timezone

# More than twice the longest lease: one that ends later was given before the clock went back.
BEYOND_ANY_LEASE = timedelta(minutes=2)


def now() -> datetime:
    """The current time of the database server; with SQLite, of this machine."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


def lapsed(at: datetime) -> Q:
    """Rows whose lease has ended, or ends later than any lease that this clock can have given."""
    return Q(lease_until__lte=at) | Q(lease_until__gt=at + BEYOND_ANY_LEASE)
