"""A person may have several accounts: their key is that of the main one (`User.person_key`).

Slots and recusals name the person and the account, so a claim asks for items of which the person
has no slot and no recusal. What it does not see, a unique constraint (slot_once_by_person) and a
trigger (annotation/models/triggers.py) refuse. annotation/people/services/same_person.py marks
accounts as one person.
"""

from collections.abc import Collection, Iterable

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from annotation.models import Recusal, Slot

PEOPLE = "SELECT id, coalesce(main_account_id, id) FROM accounts_user"


def is_new_to(person: int, *, item: str = "item") -> Q:
    """Match rows, such as slots, whose `item` no account of the person has had or must not get."""
    had = Slot.objects.filter(item=OuterRef(item), person=person)
    recused = Recusal.objects.filter(item=OuterRef(item), person=person)
    return ~Exists(had) & ~Exists(recused)


def accounts_of(user: User) -> list[int]:
    """Return all accounts of the person who has an account."""
    accounts = User.objects.filter(Q(pk=user.person_key) | Q(main_account=user.person_key))
    return list(accounts.values_list("pk", flat=True))


def hold_person(user: User) -> int:
    """Return the key of the person; no mark changes it before the transaction ends.

    Call it before slots are locked: a mark locks its accounts first as well.
    """
    person = _hold_accounts([user.pk])[user.pk]
    user.main_account_id = None if person == user.pk else person
    return person


def hold_accounts(user: User) -> None:
    """Lock all accounts of the person, so that their claims happen one after the other."""
    accounts = accounts_of(user)
    if connection.vendor == "postgresql" and len(accounts) > 1:
        rows = User.objects.filter(pk__in=accounts).order_by("pk")
        list(rows.select_for_update(no_key=True).values_list("pk"))


def recuse(accounts_by_item: Iterable[tuple[int, int]], reason: str) -> None:
    """Recuse the people who have these accounts from the items; both are given by key."""
    rows = sorted(set(accounts_by_item))
    people = _hold_accounts({account for _item, account in rows})
    Recusal.objects.bulk_create(
        (
            Recusal(item_id=item, annotator_id=account, person_id=people[account], reason=reason)
            for item, account in rows
        ),
        batch_size=2000,
        ignore_conflicts=True,
    )


def _hold_accounts(accounts: Collection[int]) -> dict[int, int]:
    """Return the key of the person of each account; marks of these wait for the transaction."""
    if not accounts:
        return {}
    # Not Django's `select_for_update`: the weakest lock lets other turns of the person pass. On
    # SQLite, no other transaction can write.
    lock = " FOR KEY SHARE" if connection.vendor == "postgresql" else ""
    places = ", ".join(["%s"] * len(accounts))
    with connection.cursor() as cursor:
        cursor.execute(f"{PEOPLE} WHERE id IN ({places}) ORDER BY id{lock}", [*accounts])
        return dict(cursor.fetchall())
