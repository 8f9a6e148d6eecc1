"""The accounts of one person, who never gets an item twice under any of them."""

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from annotation.models import Recusal, Slot


def hold_person(user: User) -> None:
    """Read the person's main account, and let no mark change it before the transaction ends.

    Call it before slots are locked: a mark locks its accounts first as well.
    """
    lock = " FOR KEY SHARE" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        text = f"SELECT main_account_id FROM accounts_user WHERE id = %s{lock}"  # noqa: S608
        cursor.execute(text, [user.pk])
        user.main_account_id = cursor.fetchone()[0]


def hold_accounts(user: User) -> None:
    """Lock all accounts of the person, so that their claims happen one after the other."""
    accounts = accounts_of(user)
    if connection.vendor == "postgresql" and len(accounts) > 1:
        rows = User.objects.filter(pk__in=accounts).order_by("pk")
        list(rows.select_for_update(no_key=True).values_list("pk"))


def accounts_of(user: User) -> list[int]:
    """Return all accounts of the person: no two of them get the same item."""
    main = user.main_account_id or user.pk
    accounts = User.objects.filter(Q(pk=main) | Q(main_account=main))
    return list(accounts.order_by("pk").values_list("pk", flat=True))


def not_theirs(user: User) -> Q:
    """Match slots of items that no account of the person has had or must not get."""
    accounts = accounts_of(user)
    had = Slot.objects.filter(item=OuterRef("item"), annotator__in=accounts)
    recused = Recusal.objects.filter(item=OuterRef("item"), annotator__in=accounts)
    return ~Exists(had) & ~Exists(recused)


def main_account(user: User) -> int | None:
    """Return the main account of a person who has several."""
    accounts = accounts_of(user)
    return (user.main_account_id or user.pk) if len(accounts) > 1 else None
