"""Messages that wake Celery workers: the work itself is in the database."""

from collections.abc import Callable

from django.conf import settings
from django.db import transaction

# A message delayed by long work is still useful.
EXPIRES_SECONDS = 3600


def send_on_commit(send: Callable[[], object]) -> None:
    """Send a message once the transaction is committed.

    Does nothing without a broker: the embedded worker polls by itself. If the broker does not
    answer, this is logged, not raised; the schedule wakes the workers later.
    """
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(send, robust=True)
