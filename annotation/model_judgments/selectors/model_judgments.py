"""Where people and models part: what guests say beside the consensus. It counts in nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Value, When

from annotation.models import Guest, GuestJudgment, Project, SentencePair
from annotation.pairs.selectors import pairs
from annotation.stats.agreement import cohen_kappa_of
from common import keyset
from common.keyset import Key, Page

PAGE = 20
ORDER = ["-margin", "id"]
# What a file of parted pairs holds of each.
COLUMNS = (
    "public_id",
    "candidate__run__method",
    "sentence1__text",
    "sentence2__text",
    "consensus__label",
    "consensus__tally",
    "says",
    "score",
)

# What people say, 1 paraphrase, 0 not, None undecided; and the side that the guest takes.
Cell: TypeAlias = tuple[int | None, int]


@dataclass(frozen=True, slots=True)
class Beside:
    """How many decided pairs have each two labels, the people's first."""

    cells: Mapping[Cell, int]

    @property
    def pairs(self) -> int:
        """Those on which people have a majority."""
        return sum(self._decided().values())

    @property
    def same(self) -> int:
        return sum(number for (people, guest), number in self.cells.items() if people == guest)

    @property
    def share(self) -> float | None:
        """How often both say the same; None where nothing can be compared."""
        return self.same / self.pairs if self.pairs else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of the guest and the consensus."""
        return cohen_kappa_of(self._decided())

    @property
    def table(self) -> list[tuple[int | None, int, int]]:
        """The confusion, a row for each thing that people say: it, and the guest's 0s and 1s."""
        said = (1, 0, None)
        rows = [(each, self.cells.get((each, 0), 0), self.cells.get((each, 1), 0)) for each in said]
        return [row for row in rows if any(row[1:])]

    def _decided(self) -> dict[tuple[int, int], int]:
        return {
            (people, guest): number
            for (people, guest), number in self.cells.items()
            if people is not None
        }


@dataclass(frozen=True, slots=True)
class Visit:
    """A guest beside the people: of all pairs, by method, and by how the votes of people fell.

    `by_votes` is by the votes of the larger and of the smaller side, the clearest first.
    """

    guest: Guest
    labelled: int
    every: Beside
    by_method: Mapping[str, Beside]
    by_votes: Mapping[tuple[int, int], Beside]


@dataclass(slots=True)
class _Counts:
    every: Counter[Cell] = field(default_factory=Counter)
    methods: defaultdict[str, Counter[Cell]] = field(default_factory=lambda: defaultdict(Counter))
    votes: defaultdict[tuple[int, int], Counter[Cell]] = field(
        default_factory=lambda: defaultdict(Counter)
    )


def of_project(project: Project) -> list[Visit]:
    """Every guest with its figures, the latest first: one statement groups all labels."""
    found = Guest.objects.filter(project=project).annotate(labelled=Count("judgments"))
    counts = _counts(project)
    return [_visit(guest, guest.labelled, counts[guest.pk]) for guest in found.order_by("-pk")]


def parting(project: Project, guest: Guest) -> QuerySet[Any]:
    """Pairs of which the guest says other than the people, each with its `margin` and what the
    guest `says` and how sure it is (`score`)."""
    said = _said(project).filter(guest=guest, pair__consensus__label__isnull=False)
    apart = said.exclude(side=F("pair__consensus__label"))
    found = SentencePair.objects.filter(pk__in=apart.values("pair"), guest_judgments__guest=guest)
    return found.annotate(
        margin=pairs.margin(project),
        says=F("guest_judgments__label"),
        score=F("guest_judgments__score"),
    )


def page(rows: QuerySet[Any], *, after: Key | None = None, before: Key | None = None) -> Page[Any]:
    """Those on which people agree most come first: there the guest is most surely wrong."""
    related = rows.select_related("consensus", "sentence1__corpus", "sentence2")
    return keyset.page(related, columns=ORDER, size=PAGE, after=after, before=before)


def all_parting(project: Project, guest: Guest) -> Iterator[dict[str, Any]]:
    """COLUMNS of every pair that parts, in the order of the pages."""
    rows = parting(project, guest).order_by(*ORDER)
    return rows.values(*COLUMNS).iterator(pairs.CHUNK)


def votes(tally: list[int], paraphrase_from: int) -> tuple[int, int]:
    """Those of the larger side, and those of the smaller."""
    sides = (sum(tally[:paraphrase_from]), sum(tally[paraphrase_from:]))
    return max(sides), min(sides)


def _said(project: Project) -> QuerySet[Any]:
    """Labels on decided pairs, with the `side` that each takes."""
    side = Case(
        When(label__gte=project.paraphrase_from, then=Value(1)),
        default=Value(0),
        output_field=IntegerField(),
    )
    found: QuerySet[Any] = GuestJudgment.objects.filter(
        Q(pair__consensus__isnull=False), guest__project=project, pair__known_label=None
    )
    sided: QuerySet[Any] = found.annotate(side=side)
    return sided


def _counts(project: Project) -> dict[int, _Counts]:
    columns = ("guest", "pair__candidate__run__method", "pair__consensus__tally")
    grouped = _said(project).order_by().values_list(*columns, "pair__consensus__label", "side")
    found = defaultdict[int, _Counts](_Counts)
    for guest, method, tally, label, side, number in grouped.annotate(Count("pk")):
        counts = found[guest]
        for table in (
            counts.every,
            counts.methods[method],
            counts.votes[votes(tally, project.paraphrase_from)],
        ):
            table[label, side] += number
    return found


def _visit(guest: Guest, labelled: int, counts: _Counts) -> Visit:
    clearest = sorted(counts.votes, key=lambda votes: (votes[1] - votes[0], votes))
    return Visit(
        guest=guest,
        labelled=labelled,
        every=Beside(counts.every),
        by_method={name: Beside(counts.methods[name]) for name in sorted(counts.methods)},
        by_votes={votes: Beside(counts.votes[votes]) for votes in clearest},
    )
