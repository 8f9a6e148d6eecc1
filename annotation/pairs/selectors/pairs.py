"""The pairs of a study as a table: filtered, in an order, a page at a time, with their answers."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Abs, Cast, Coalesce

from annotation.models import Correction, Judgment, Project, SentencePair
from common import keyset
from common.keyset import Key, Page

PAGE = 50
# Rows that a download holds in memory at a time.
CHUNK = 5000
# A tally never comes near it, so what is undecided stands behind everything that is decided.
UNDECIDED = 1_000_000

STATES = {
    "": Q(),
    "undecided": Q(consensus=None, known_label=None),
    "decided": Q(consensus__isnull=False),
    "kept": Q(consensus__kept=True),
    "not_kept": Q(consensus__kept=False),
    "set_aside": Q(set_aside_at__isnull=False),
    "first": Q(priority__gt=0, consensus=None),
}
# What the majority of a decided pair says.
LABELS = {
    "": Q(),
    "paraphrase": Q(consensus__label=1),
    "different": Q(consensus__label=0),
    "tie": Q(consensus__isnull=False, consensus__label=None),
}
# How a pair came through correction.
CORRECTIONS = {
    "": Q(),
    "accepted": Q(correction__action=Correction.Action.ACCEPT),
    "fixed": Q(correction__action=Correction.Action.FIX),
    "none": Q(correction=None),
}
ORDERS = {
    "disagreement": ("margin", "id"),
    "newest": ("-id",),
    "oldest": ("id",),
}


RELATED = ("candidate__run", "consensus", "correction", "sentence1__corpus", "sentence2")
# What a table of pairs shows, and no other column of its seven tables.
COLUMNS = (
    "public_id",
    "known_label",
    "priority",
    "set_aside_at",
    "candidate__run__method",
    "consensus__tally",
    "consensus__label",
    "consensus__kept",
    "consensus__decided_at",
    "correction__action",
    "sentence1__text",
    "sentence1__corpus__language",
    "sentence2__text",
)


# What an Answer is made of.
ANSWER = ("annotator", "annotator__username", "label", "held_out", "superseded_by")


class Answer(NamedTuple):
    """What one person said of a pair; it counts in the latest round, unless it is held out.

    `person` is their key: what they are called is for annotation.people.selectors.names to say.
    """

    person: int
    username: str
    label: int
    counts: bool

    @classmethod
    def of(cls, person: Any, username: Any, label: Any, *out: Any) -> "Answer":
        """From the columns ANSWER of a slot that has been answered."""
        return cls(person, username, label, counts=out == (None, None))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a table of pairs shows: names out of the dictionaries above, a method, words.

    `hidden` asks for the pairs whose answer is known, which are left out otherwise.
    """

    state: str = ""
    label: str = ""
    correction: str = ""
    method: str = ""
    order: str = "disagreement"
    words: tuple[str, ...] = ()
    public_id: uuid.UUID | None = None
    hidden: bool = False


def chosen(project: Project, wanted: Wanted) -> QuerySet[SentencePair]:
    """The pairs that are asked for. Words are looked for in all sentences of the project."""
    found = SentencePair.objects.filter(
        STATES[wanted.state],
        LABELS[wanted.label],
        CORRECTIONS[wanted.correction],
        project=project,
        known_label__isnull=not wanted.hidden,
    )
    if wanted.method:
        found = found.filter(candidate__run__method=wanted.method)
    if wanted.public_id:
        return found.filter(public_id=wanted.public_id)
    for word in wanted.words:
        found = found.filter(
            Q(sentence1__text__icontains=word) | Q(sentence2__text__icontains=word)
        )
    return found


def page(
    project: Project,
    wanted: Wanted,
    *,
    after: Key | None = None,
    before: Key | None = None,
    size: int = PAGE,
) -> Page[Any]:
    """A page of them with `answers`: one statement for the pairs and one for their answers.

    Ordered by disagreement, each page compares the tallies of all that are chosen, the last as the
    first: some 50 ms among 50,000.
    """
    rows: QuerySet[Any] = chosen(project, wanted).annotate(margin=margin(project))
    rows = rows.select_related(*RELATED).only(*COLUMNS)
    columns = ORDERS[wanted.order]
    found = keyset.page(rows, columns=columns, size=size, after=after, before=before)
    _give_answers(found.rows)
    return found


def all_of(project: Project, wanted: Wanted) -> Iterator[Any]:
    """Every chosen pair with its answers, some at a time."""
    after = None
    while True:
        found = page(project, wanted, after=after, size=CHUNK)
        yield from found.rows
        if (after := found.after) is None:
            return


def margin(project: Project) -> Any:
    """Votes of the larger side less those of the smaller; UNDECIDED before there is a tally."""
    votes = [
        Cast(KeyTextTransform(str(label), "consensus__tally"), IntegerField())
        for label in range(project.max_label + 1)
    ]
    against, in_favour = votes[: project.paraphrase_from], votes[project.paraphrase_from :]
    difference = _sum(in_favour) - _sum(against)
    return Case(
        When(consensus__isnull=False, then=Coalesce(Abs(difference), Value(UNDECIDED))),
        default=Value(UNDECIDED),
        output_field=IntegerField(),
    )


def _sum(votes: list[Any]) -> Any:
    total = votes[0]
    for vote in votes[1:]:
        total = total + vote
    return total


def _give_answers(pairs: Iterable[Any]) -> None:
    """Let each pair have its `answers`, by slot."""
    given = Judgment.objects.filter(pair__in=[pair.pk for pair in pairs], label__isnull=False)
    answers = defaultdict[int, list[Answer]](list)
    for pair, *answer in given.order_by("pair", "slot").values_list("pair", *ANSWER):
        answers[pair].append(Answer.of(*answer))
    for pair in pairs:
        pair.answers = answers[pair.pk]
