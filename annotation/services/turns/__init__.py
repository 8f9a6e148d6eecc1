"""A judge's turn: an answer goes in, the next pair comes out, in as few statements as there can be.

On Postgres that is one statement (`postgres.py`), on SQLite a few of the same shape (`sqlite.py`);
what both say in the same words stands in `fragments.py`. docs/decisions/0011 says why.
"""

from datetime import timedelta

from django.db import connection
from django.utils import timezone

from annotation import protocols
from annotation.models import Membership
from annotation.services.turns import postgres, sqlite
from annotation.services.turns.shapes import Answer, HeldPair, Question, Stands, Turn

__all__ = ["Answer", "HeldPair", "Stands", "Turn", "question_of", "take"]


def take(membership: Membership, answer: Answer | None = None, *, claims: bool = True) -> Turn:
    """Store an answer, if there is one, and the consensus that it completes; then claim a pair.

    `Turn.stands` says what became of the answer. A pair that the person holds already is the one
    that they are given. Moves `membership` on to the person's new place in the queue.
    """
    take_on_engine = postgres.take if connection.vendor == "postgresql" else sqlite.take
    turn = take_on_engine(question_of(membership, answer, claims=claims))
    membership.judgment_place = turn.place
    return turn


def question_of(
    membership: Membership, answer: Answer | None = None, *, claims: bool = True
) -> Question:
    """A turn that begins now."""
    project, now = membership.project, timezone.now()
    return Question(
        membership=membership.pk,
        person=membership.user_id,
        project=project.pk,
        place=membership.judgment_place,
        now=now,
        midnight=timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0),
        lease=now + timedelta(minutes=project.lease_minutes),
        claims=claims and membership.may_judge and project.is_open,
        protocol=protocols.of(project),
        answer=answer,
    )
