"""The one clock by which leases are told, however many machines there are: the database's."""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Q
from django.utils import timezone

# No worker's lease is half as long, so one that ends later was given before the clock went back.
BEYOND_ANY_LEASE = timedelta(minutes=2)


def now() -> datetime:
    """The present moment as the database has it; a file of SQLite has that of its machine."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


def lapsed(at: datetime) -> Q:
    """Rows whose lease is over, or ends later than any lease that was given by this clock."""
    return Q(lease_until__lte=at) | Q(lease_until__gt=at + BEYOND_ANY_LEASE)
