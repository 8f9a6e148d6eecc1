"""A judge's turn: an answer goes in, the next pair comes out, in as few statements as there can be.

On Postgres that is one statement (`postgres.py`), on SQLite a few of the same shape (`sqlite.py`);
what both say in the same words stands in `fragments.py`. docs/decisions/0011 says why.
"""

from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from annotation.models import Membership, Project
from annotation.projects import protocols
from annotation.work import queue_keys
from annotation.work.services.turns import postgres, sqlite
from annotation.work.services.turns.shapes import (
    Answer,
    HeldPair,
    Hidden,
    Question,
    Stands,
    Turn,
    Whereabouts,
)
from common.draws import draw

__all__ = ["Answer", "HeldPair", "Stands", "Turn", "question_of", "take"]

# What was not there behind somebody's place is not looked for again so soon.
BETWEEN_LOOKS = timedelta(minutes=1)
WITHOUT_LIMIT = 2**31 - 1


def take(membership: Membership, answer: Answer | None = None, *, claims: bool = True) -> Turn:
    """Store an answer, if there is one, and the consensus that it completes; then claim a pair.

    `Turn.stands` says what became of the answer. A pair that the person holds already is the one
    that they are given. Moves `membership` on to the person's new place in the queue.
    """
    take_on_engine = postgres.take if connection.vendor == "postgresql" else sqlite.take
    turn = take_on_engine(question_of(membership, answer, claims=claims))
    membership.judgment_place = turn.at.place
    membership.looked_behind_at = turn.at.looked_behind_at
    membership.known_after = turn.at.known_after
    return turn


def question_of(
    membership: Membership, answer: Answer | None = None, *, claims: bool = True
) -> Question:
    """A turn that begins now."""
    project, now = membership.project, timezone.now()
    looked = membership.looked_behind_at
    return Question(
        membership=membership.pk,
        person=membership.user_id,
        main=membership.user.main_account_id or membership.user_id,
        project=project.pk,
        at=Whereabouts(membership.judgment_place, looked, membership.known_after),
        now=now,
        midnight=timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0),
        lease=now + timedelta(minutes=project.lease_minutes),
        most=_most(membership) if claims else 0,
        looks_behind=looked is None or looked < now - BETWEEN_LOOKS,
        entry=_entry(project, membership, now),
        hidden=_hidden(project, membership),
        protocol=protocols.of(project),
        answer=answer,
    )


def _most(membership: Membership) -> int:
    """So many answers the person may have given and still be given something new."""
    if not (membership.may_judge and membership.is_given_work):
        return 0
    most = membership.project.most_judgments
    return WITHOUT_LIMIT if most is None else most


def _entry(project: Project, membership: Membership, now: datetime) -> int | None:
    """Told apart from those of the same microsecond by who answered."""
    if project.order == Project.Order.DEPTH:
        return None
    return queue_keys.in_breadth(now, membership.pk)


def _hidden(project: Project, membership: Membership) -> Hidden | None:
    """Drawn anew for each block, since `known_after` lies in another one each time."""
    if project.known_every is None:
        return None
    key = f"{membership.pk} {membership.known_after}"
    return Hidden(project.known_every, draw(project.seed, "hidden pairs", key) >> 1)
