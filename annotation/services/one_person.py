"""Several accounts of one person, as managers mark them: on record, and by whom."""

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction

from accounts.models import User
from annotation.models import SentencePair
from annotation.services import same_person


@transaction.atomic
def mark(account: User, other: User, *, by: User) -> list[SentencePair]:
    """same_person.mark, on record for both accounts. Raises ValueError for one and itself."""
    shared = same_person.mark(account, other)
    for one, another in ((account, other), (other, account)):
        _record(one, by, f"Marked as the same person as {another}.")
    return shared


@transaction.atomic
def separate(account: User, *, by: User) -> None:
    """same_person.separate, on record."""
    same_person.separate(account)
    _record(account, by, "Separated from the other accounts of the same person.")


def _record(account: User, by: User, text: str) -> None:
    LogEntry.objects.log_actions(by.pk, [account], CHANGE, change_message=text)
