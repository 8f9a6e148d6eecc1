"""A study to be judged, the people who judge it, and what must be true of its rows afterwards."""

import tempfile
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

SLOTS = 5
WHO = ("baker", "teacher", "pilot", "miller", "doctor", "painter", "sailor", "farmer")


def make(name: str, *, pairs: int) -> Any:
    """A project with `pairs` pairs, imported as a manager imports them."""
    from django.core.management import call_command

    from annotation.projects.services import projects

    project = projects.create(name)
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
        file.write("sentence1\tsentence2\n")
        for number in range(pairs):
            one, other = WHO[number % 8], WHO[(number + 1 + number // 8 % 7) % 8]
            first = f"Number {number}: the {one} saw the {other} cross the old bridge."
            second = f"Number {number}: the {other} saw the {one} cross the old bridge."
            file.write(f"{first}\t{second}\n")
        file.flush()
        call_command("import_pairs", file.name, project=name, verbosity=0)
    return project


def sign_in(project: Any, *, people: int) -> list[str]:
    """Adds members to the project; returns the session key of each."""
    from accounts.models import User
    from annotation.projects.services import projects

    users = [User.objects.create(username=f"{project.name}-{number}") for number in range(people)]
    for person in users:
        projects.add_member(project, person)
    return [session_of(person) for person in users]


def answered(project: Any) -> int:
    """Judgments so far."""
    from annotation.models import Judgment

    return Judgment.objects.filter(project=project, submitted_at__isnull=False).count()


def expire_leases(project: Any, left: Sequence[set[str]]) -> None:
    """Let the leases of what each person has left be over, as if their minutes had passed."""
    from django.utils import timezone

    from annotation.models import Judgment

    leased = Judgment.objects.filter(project=project, submitted_at=None, lease_until__isnull=False)
    columns = ("pk", "annotator__username", "item__public_id")
    abandoned = [
        pk
        for pk, name, item in leased.values_list(*columns)
        if str(item) in left[int(name.rpartition("-")[2])]
    ]
    expired_at = timezone.now() - timedelta(seconds=1)
    leased.filter(pk__in=abandoned).update(lease_until=expired_at)


def faults(project: Any, ledgers: Sequence[Mapping[str, int]], *, forgotten: int) -> list[str]:
    """What must never be, read from the rows, and held against what was acknowledged."""
    from annotation.models import Consensus, Judgment

    numbers = numbers_of_faults(
        Judgment.objects.filter(project=project), Consensus.objects.filter(pair__project=project)
    )
    numbers |= {
        "acknowledged judgments that are not there": _judgments_lost(project, ledgers),
        "acknowledged judgments that were asked for again": forgotten,
    }
    return [f"{number} {what}" for what, number in numbers.items() if number]


def numbers_of_faults(judgments: Any, decided: Any) -> dict[str, int]:
    from django.db.models import Count

    answered = judgments.exclude(submitted_at=None)
    by_pair = answered.values("item").annotate(n=Count("id"))
    repeated = answered.values("item", "annotator").annotate(n=Count("id")).filter(n__gt=1)
    full_pairs = by_pair.filter(n=SLOTS).values("item")
    return {
        "pairs with more than five judgments": by_pair.filter(n__gt=SLOTS).count(),
        "people who judged a pair twice": repeated.count(),
        "full pairs without a consensus": full_pairs.filter(item__consensus=None).count(),
        "decided pairs that are not full": decided.exclude(pair__in=full_pairs).count(),
    }


def _judgments_lost(project: Any, ledgers: Sequence[Mapping[str, int]]) -> int:
    from annotation.models import Judgment

    rows = Judgment.objects.filter(project=project, submitted_at__isnull=False)
    columns = ("annotator__username", "item__public_id", "label")
    stored = {(name, str(item), label) for name, item, label in rows.values_list(*columns)}
    acknowledged = {
        (f"{project.name}-{number}", item, label)
        for number, ledger in enumerate(ledgers)
        for item, label in ledger.items()
    }
    return len(acknowledged - stored)


def session_of(person: Any) -> str:
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from accounts.sessions import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.create()
    return str(session.session_key)
