"""The table of a study's pairs: filtered, sorted and paged, with their answers."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Abs, Cast, Coalesce, Greatest
from django.utils.translation import gettext_lazy as _

from annotation.models import Consensus, Correction, Item, Judgment, Project, SentencePair
from annotation.pairs.selectors import model_says
from annotation.pairs.selectors.model_says import ModelSays
from annotation.projects.labels import outcomes_in_order
from annotation.stats.labels import Scheme
from common import keyset
from common.keyset import Key, Page

PAGE = 50
# Rows that a download holds in memory at a time.
CHUNK = 5000
# Larger than any tally, so that undecided pairs sort last.
UNDECIDED = 1_000_000

UNDECIDED_PAIRS = Q(consensus=None, gold_label=None)
COUNTING = Judgment.objects.filter(
    item=OuterRef("pk"), submitted_at__isnull=False, excluded_by=None, superseded_by=None
)
# What the table can be filtered and ordered by: the words, and the condition or the columns.
STATES = {
    "": (_("any"), Q()),
    "undecided": (_("undecided"), UNDECIDED_PAIRS),
    "in_progress": (_("in progress"), UNDECIDED_PAIRS & Q(Exists(COUNTING))),
    "decided": (_("decided"), Q(consensus__isnull=False)),
    "kept": (_("kept"), Q(consensus__kept=True)),
    "not_kept": (_("too few agree"), Q(consensus__kept=False)),
    "set_aside": (_("set aside"), Q(set_aside_at__isnull=False)),
    "first": (_("to be judged first"), Q(priority__gt=0, consensus=None)),
    "excluded": (_("excluded"), Q(excluded_by__isnull=False)),
}
CORRECTIONS = {
    "": (_("either"), Q()),
    "accepted": (_("accepted as it was"), Q(origin__action=Correction.Action.ACCEPT)),
    "fixed": (_("fixed"), Q(origin__action=Correction.Action.FIX)),
    "none": (_("judged without correction"), Q(origin=None)),
}
SURENESS = "consensus__model_share__lt"
MODEL_LABELS = {
    "": (_("any"), Q()),
    "differs": (
        _("differs from the majority"),
        Q(consensus__model_label__lt=F("consensus__label"))
        | Q(consensus__model_label__gt=F("consensus__label")),
    ),
    "below_60": (_("less sure than 60 %"), Q(**{SURENESS: 0.6})),
    "below_80": (_("less sure than 80 %"), Q(**{SURENESS: 0.8})),
    "below_95": (_("less sure than 95 %"), Q(**{SURENESS: 0.95})),
}
ORDERS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "disagreement": (_("most disagreement"), ("margin", "id")),
    "newest": (_("newest"), ("-id",)),
    "oldest": (_("oldest"), ("id",)),
}

RELATED = ("candidate__run", "consensus", "excluded_by", "origin", "sentence1__corpus", "sentence2")
# Columns that the table of pairs shows, out of seven tables.
COLUMNS = (
    "public_id",
    "gold_label",
    "priority",
    "set_aside_at",
    "excluded_by__reason",
    "most_votes",
    "candidate__external_id",
    "candidate__kind",
    "candidate__run__method",
    "consensus__tally",
    "consensus__label",
    "consensus__kept",
    "consensus__model_label",
    "consensus__model_share",
    "consensus__decided_at",
    "origin__action",
    "sentence1__text",
    "sentence1__corpus__language",
    "sentence2__text",
)
# The columns of an Answer.
ANSWER = ("annotator", "annotator__username", "label", "excluded_by", "superseded_by")


class Answer(NamedTuple):
    """One person's answer on a pair; `out` says why it does not count, and is empty if it does.

    `person` is a primary key; annotation.people.selectors.names gives the name to show.
    """

    person: int
    username: str
    label: int
    out: str

    @property
    def counts(self) -> bool:
        return not self.out

    @classmethod
    def from_columns(
        cls, person: Any, username: Any, label: Any, excluded: Any, earlier: Any
    ) -> "Answer":
        """Return an Answer from the columns ANSWER of an answered slot."""
        out = "excluded" if excluded else "of an earlier round" if earlier else ""
        return cls(person, username, label, out)


@dataclass(frozen=True, slots=True)
class PairFilters:
    """Filters of the table of pairs: names from the dictionaries above and from `majorities`, what
    a model says, a method, words, and a kind of change.

    `hidden` selects gold pairs, which are left out otherwise. Excluded pairs are found by their
    state or their id only.
    """

    state: str = ""
    label: str = ""
    correction: str = ""
    model: str = ""
    says: ModelSays | None = None
    method: str = ""
    change: str = ""
    order: str = "disagreement"
    words: tuple[str, ...] = ()
    public_id: uuid.UUID | None = None
    hidden: bool = False


def majorities(scheme: Scheme) -> dict[str, tuple[Any, Q]]:
    """Return the filters by the label of decided pairs: the words of each, and the condition."""
    conditions: dict[str, tuple[Any, Q]] = {"": (_("any"), Q())}
    if not scheme.decides:
        return conditions
    for outcome, name in outcomes_in_order(scheme):
        value = str(scheme.outcome_values[outcome])
        conditions[value] = (name, Q(consensus__label=outcome))
    is_tie = Q(consensus__isnull=False, consensus__label=None)
    return conditions | {"tie": (_("a tie"), is_tie)}


def matching_pairs(project: Project, filters: PairFilters) -> QuerySet[SentencePair]:
    """Return the pairs that match: texts with the words, or a pair with one as its own id."""
    return SentencePair.objects.filter(_condition(project, filters), project=project)


def has_model_labels(project: Project) -> bool:
    """Return whether the model of annotators was fitted to decided pairs."""
    fitted = Consensus.objects.filter(model_label__isnull=False, pair__project=project)
    return fitted.exists()


def numbers_of(project: Project, filters: Sequence[PairFilters]) -> list[int]:
    """Return how many pairs match each of the filters, in one query."""
    counts = {
        f"n{place}": Count("pk", filter=_condition(project, wanted))
        for place, wanted in enumerate(filters)
    }
    numbers = SentencePair.objects.filter(project=project).aggregate(**counts)
    return [numbers[name] for name in counts]


def numbers_by_change(project: Project, filters: PairFilters) -> dict[str, int]:
    """Return how many of the pairs that match have each kind of change, most first."""
    pairs = matching_pairs(project, replace(filters, change=""))
    rows = pairs.values_list("candidate__kind").annotate(number=Count("pk")).order_by("-number")
    return dict(rows.values_list("candidate__kind", "number"))


def _condition(project: Project, filters: PairFilters) -> Q:
    wanted = STATES[filters.state][1] & majorities(project.scheme)[filters.label][1]
    wanted &= MODEL_LABELS[filters.model][1]
    wanted &= CORRECTIONS[filters.correction][1] & Q(gold_label__isnull=not filters.hidden)
    if filters.says:
        wanted &= model_says.condition(project, filters.says)
    if filters.method:
        wanted &= is_made_by(filters.method, project)
    if filters.change:
        wanted &= Q(candidate__kind=filters.change)
    if filters.public_id:
        of_file = Q(candidate__external_id__iexact=str(filters.public_id))
        return wanted & (Q(public_id=filters.public_id) | of_file)
    if filters.state != "excluded":
        wanted &= Q(excluded_by=None)
    for word in filters.words:
        in_texts = Q(sentence1__text__icontains=word) | Q(sentence2__text__icontains=word)
        wanted &= in_texts | Q(candidate__external_id=word)
    return wanted


def is_made_by(method: str, project: Project, *, path: str = "") -> Q:
    """Return a condition for pairs that a method made, first or again; `path` leads to the pair."""
    of_method = Q(project=project, kind=Judgment.KIND, candidate__run__method=method)
    repeated = Item.objects.filter(of_method, duplicate_of__isnull=False).values("duplicate_of")
    return Q(**{f"{path}candidate__run__method": method}) | Q(**{f"{path}pk__in": repeated})


def page(
    project: Project,
    filters: PairFilters,
    *,
    after: Key | None = None,
    before: Key | None = None,
    size: int = PAGE,
) -> Page[Any]:
    """Return a page of pairs with `answers`, in one query for pairs and one for answers.

    Filtered by what a model says, they have its label as `says`, and its `score`.

    Ordered by disagreement, each page compares the tallies of all matching pairs: some 50 ms for
    50,000.
    """
    rows: QuerySet[Any] = matching_pairs(project, filters).annotate(margin=margin(project))
    rows = rows.select_related(*RELATED).only(*COLUMNS)
    if filters.says:
        labels = model_says.labels_of(filters.says.model).filter(pair=OuterRef("pk"))
        rows = rows.annotate(
            says=Subquery(labels.values("label")), score=Subquery(labels.values("score"))
        )
    columns = ORDERS[filters.order][1]
    pairs_page = keyset.page(rows, columns=columns, size=size, after=after, before=before)
    _attach_answers(pairs_page.rows)
    return pairs_page


def iterate_pages(project: Project, filters: PairFilters) -> Iterator[Any]:
    """Yield every matching pair with its answers, in chunks."""
    after = None
    while True:
        pairs_page = page(project, filters, after=after, size=CHUNK)
        yield from pairs_page.rows
        if (after := pairs_page.after) is None:
            return


def margin(project: Project) -> Any:
    """Return how much people agree on each pair; UNDECIDED without a tally.

    That is by how many votes the leading outcome exceeds the others (of two outcomes, the
    difference between them); or, if votes do not decide and labels have equal steps, how little the
    values spread.
    """
    scheme = project.scheme
    counts = [
        Cast(KeyTextTransform(str(place), "consensus__tally"), IntegerField())
        for place in range(scheme.size)
    ]
    is_spread = scheme.has_equal_steps and not scheme.decides
    agreement = -_spread(counts, scheme) if is_spread else _lead(counts, scheme)
    return Case(
        When(consensus__isnull=False, then=Coalesce(agreement, Value(UNDECIDED))),
        default=Value(UNDECIDED),
        output_field=IntegerField(),
    )


def _lead(counts: Sequence[Any], scheme: Scheme) -> Any:
    votes = defaultdict[int, list[Any]](list)
    for place, count in enumerate(counts):
        votes[scheme.outcome(place)].append(count)
    first, second, *others = (_sum(of_outcome) for of_outcome in votes.values())
    if not others:
        return Abs(second - first)
    return 2 * Greatest(first, second, *others) - _sum([first, second, *others])


def _spread(counts: Sequence[Any], scheme: Scheme) -> Any:
    """Return the variance of values times the square of their number, a whole number."""
    values = list(zip(scheme.values, counts, strict=True))
    squares = _sum([value**2 * count for value, count in values])
    total = _sum([value * count for value, count in values])
    return _sum(list(counts)) * squares - total * total


def _sum(votes: list[Any]) -> Any:
    total = votes[0]
    for vote in votes[1:]:
        total = total + vote
    return total


def _attach_answers(pairs: Iterable[Any]) -> None:
    judgments = Judgment.objects.filter(
        item__in=[pair.pk for pair in pairs], submitted_at__isnull=False
    )
    answers = defaultdict[int, list[Answer]](list)
    for pair, *answer in judgments.order_by("item", "number").values_list("item", *ANSWER):
        answers[pair].append(Answer.from_columns(*answer))
    for pair in pairs:
        pair.answers = answers[pair.pk]
