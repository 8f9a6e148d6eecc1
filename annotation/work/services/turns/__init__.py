"""A judge's turn: store an answer and claim the next pair, in as few statements as possible.

On Postgres this is one statement (`postgres.py`), on SQLite a few similar ones (`sqlite.py`);
`fragments.py` holds the SQL that both share. docs/decisions/0011 gives the reasons.
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

# Wait after a search behind a person's place found nothing.
BETWEEN_LOOKS = timedelta(minutes=1)
WITHOUT_LIMIT = 2**31 - 1


def take(membership: Membership, answer: Answer | None = None, *, claims: bool = True) -> Turn:
    """Store an answer, if given, and the consensus that it completes; claim a pair if `claims`.

    `Turn.stands` gives the outcome of the answer. A pair that the person has in progress is
    returned again. Updates `membership` to the person's new place in the queue.
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
    """Return the input of a turn that starts now."""
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
    """The limit of answers for this person; 0 if they may not judge now."""
    if not (membership.may_judge and membership.is_given_work):
        return 0
    most = membership.project.most_judgments
    return WITHOUT_LIMIT if most is None else most


def _entry(project: Project, membership: Membership, now: datetime) -> int | None:
    """The key of the next slot; the membership id separates answers in the same microsecond."""
    if project.order == Project.Order.DEPTH:
        return None
    return queue_keys.in_breadth(now, membership.pk)


def _hidden(project: Project, membership: Membership) -> Hidden | None:
    """A new draw for each block, because `known_after` lies in a different one each time."""
    if project.known_every is None:
        return None
    key = f"{membership.pk} {membership.known_after}"
    return Hidden(project.known_every, draw(project.seed, "hidden pairs", key) >> 1)
