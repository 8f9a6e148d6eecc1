"""Compares model judgments with the consensus; they never count in figures about people."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Value, When

from annotation.models import JudgingModel, ModelJudgment, Project, SentencePair
from annotation.pairs.selectors import pairs
from annotation.stats.agreement import cohen_kappa
from common import keyset
from common.keyset import Key, Page

PAGE = 20
ORDER = ["-margin", "id"]
# Columns in the file of disagreements.
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

# People's label (1 paraphrase, 0 not, None undecided) and the model's side.
Cell: TypeAlias = tuple[int | None, int]


@dataclass(frozen=True, slots=True)
class ModelConfusion:
    """Number of decided pairs for each combination of people's and the model's label."""

    cells: Mapping[Cell, int]

    @property
    def pairs(self) -> int:
        """Number of pairs on which people have a majority."""
        return sum(self._decided().values())

    @property
    def same(self) -> int:
        return sum(number for (people, model), number in self.cells.items() if people == model)

    @property
    def share(self) -> float | None:
        """Share of these pairs on which both agree; None if there are none."""
        return self.same / self.pairs if self.pairs else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa between the model and the consensus."""
        return cohen_kappa(self._decided()).value

    @property
    def table(self) -> list[tuple[int | None, int, int]]:
        """Confusion table: people's label, number of model labels 0, number of model labels 1."""
        said = (1, 0, None)
        rows = [(each, self.cells.get((each, 0), 0), self.cells.get((each, 1), 0)) for each in said]
        return [row for row in rows if any(row[1:])]

    def _decided(self) -> dict[tuple[int, int], int]:
        return {
            (people, model): number
            for (people, model), number in self.cells.items()
            if people is not None
        }


@dataclass(frozen=True, slots=True)
class Visit:
    """A model compared with people: on all pairs, by method, and by votes.

    `by_votes` is keyed by the votes of the larger and the smaller side, clearest majority first.
    """

    model: JudgingModel
    labelled: int
    every: ModelConfusion
    by_method: Mapping[str, ModelConfusion]
    by_votes: Mapping[tuple[int, int], ModelConfusion]


@dataclass(slots=True)
class _Counts:
    every: Counter[Cell] = field(default_factory=Counter)
    methods: defaultdict[str, Counter[Cell]] = field(default_factory=lambda: defaultdict(Counter))
    votes: defaultdict[tuple[int, int], Counter[Cell]] = field(
        default_factory=lambda: defaultdict(Counter)
    )


def of_project(project: Project) -> list[Visit]:
    """Return all models with their figures, newest first; one query groups all labels."""
    found = JudgingModel.objects.filter(project=project).annotate(labelled=Count("judgments"))
    counts = _counts(project)
    return [_visit(model, model.labelled, counts[model.pk]) for model in found.order_by("-pk")]


def parting(project: Project, model: JudgingModel) -> QuerySet[Any]:
    """Return pairs on which the model disagrees with people, with `margin`, `says` and `score`."""
    said = _said(project).filter(model=model, pair__consensus__label__isnull=False)
    apart = said.exclude(side=F("pair__consensus__label"))
    found = SentencePair.objects.filter(pk__in=apart.values("pair"), model_judgments__model=model)
    return found.annotate(
        margin=pairs.margin(project),
        says=F("model_judgments__label"),
        score=F("model_judgments__score"),
    )


def page(rows: QuerySet[Any], *, after: Key | None = None, before: Key | None = None) -> Page[Any]:
    """Return a page of pairs, clearest majority first: there the model is most likely wrong."""
    related = rows.select_related("consensus", "sentence1__corpus", "sentence2")
    return keyset.page(related, columns=ORDER, size=PAGE, after=after, before=before)


def all_parting(project: Project, model: JudgingModel) -> Iterator[dict[str, Any]]:
    """Yield COLUMNS of every pair with a disagreement, in page order."""
    rows = parting(project, model).order_by(*ORDER)
    return rows.values(*COLUMNS).iterator(pairs.CHUNK)


def votes(tally: list[int], paraphrase_from: int) -> tuple[int, int]:
    """Return the votes of the larger and of the smaller side."""
    sides = (sum(tally[:paraphrase_from]), sum(tally[paraphrase_from:]))
    return max(sides), min(sides)


def _said(project: Project) -> QuerySet[Any]:
    """Return labels on decided pairs, annotated with their `side`."""
    side = Case(
        When(label__gte=project.paraphrase_from, then=Value(1)),
        default=Value(0),
        output_field=IntegerField(),
    )
    found: QuerySet[Any] = ModelJudgment.objects.filter(
        Q(pair__consensus__isnull=False), model__project=project, pair__gold_label=None
    )
    sided: QuerySet[Any] = found.annotate(side=side)
    return sided


def _counts(project: Project) -> dict[int, _Counts]:
    columns = ("model", "pair__candidate__run__method", "pair__consensus__tally")
    grouped = _said(project).order_by().values_list(*columns, "pair__consensus__label", "side")
    found = defaultdict[int, _Counts](_Counts)
    for model, method, tally, label, side, number in grouped.annotate(Count("pk")):
        counts = found[model]
        for table in (
            counts.every,
            counts.methods[method],
            counts.votes[votes(tally, project.paraphrase_from)],
        ):
            table[label, side] += number
    return found


def _visit(model: JudgingModel, labelled: int, counts: _Counts) -> Visit:
    clearest = sorted(counts.votes, key=lambda votes: (votes[1] - votes[0], votes))
    return Visit(
        model=model,
        labelled=labelled,
        every=ModelConfusion(counts.every),
        by_method={name: ModelConfusion(counts.methods[name]) for name in sorted(counts.methods)},
        by_votes={votes: ModelConfusion(counts.votes[votes]) for votes in clearest},
    )
