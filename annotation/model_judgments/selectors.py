"""Compares model judgments with the consensus; they never count in figures about people."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.db.models import Count, F, QuerySet

from annotation.models import JudgingModel, ModelJudgment, Project, Reopening, SentencePair
from annotation.pairs.selectors import pairs
from annotation.projects.labels import outcome_of, outcomes_in_order
from annotation.stats.agreement import Confusion
from annotation.stats.labels import Scheme
from common import keyset
from common.keyset import Key, Page

PAGE = 20
ORDER = ["-margin", "id"]

# The outcome of the model's label, and that of people, None if they have none.
Cells: TypeAlias = Counter[tuple[int, int | None]]


@dataclass(frozen=True, slots=True)
class Visit:
    """A model compared with people's majority: on all pairs, by method, and by votes.

    `model.labelled` is the number of its labels, and `judged_again` that of the pairs which were
    judged again because it disagreed. `table` has people's outcome and the number of the model's
    labels for each outcome; of two, the upper one is first. `by_kind` is keyed by method and kind
    of change, of pairs that have one. `by_votes` is keyed by the votes for the leading outcome and
    for all others, clearest majority first.
    """

    model: JudgingModel
    table: list[tuple[int | None, list[int]]]
    every: Confusion
    by_method: Mapping[str, Confusion]
    by_kind: Mapping[tuple[str, str], Confusion]
    by_votes: Mapping[tuple[int, int], Confusion]
    judged_again: int


def of_project(project: Project) -> list[Visit]:
    """Return all models with their figures, newest first."""
    models = JudgingModel.objects.filter(project=project).annotate(labelled=Count("judgments"))
    candidate = ("pair__candidate__run__method", "pair__candidate__kind")
    columns = ("model", *candidate, "pair__consensus__tally")
    grouped = (
        decided_labels(project).order_by().values_list(*columns, "side", "pair__consensus__label")
    )
    rows = defaultdict[int, list[Any]](list)
    for key, *way, tally, side, majority, number in grouped.annotate(Count("pk")):
        rows[key].append((*way, votes(tally, project.scheme), (side, majority), number))
    order = [outcome for outcome, _name in outcomes_in_order(project.scheme)]
    reopenings = Reopening.objects.filter(because__project=project).order_by()
    again = dict(reopenings.values_list("because").annotate(Count("pair", distinct=True)))
    return [
        _figures_of_model(model, rows[model.pk], order, again.get(model.pk, 0))
        for model in models.order_by("-pk")
    ]


def judged_again(reopenings: QuerySet[Reopening]) -> Counter[tuple[str, str]]:
    """Count the pairs judged again because a model disagreed, by its name and revision.

    A pair counts once, for the model of its latest such round.
    """
    rows = reopenings.filter(because__isnull=False).order_by("number")
    columns = ("pair", "because__name", "because__revision")
    by_pair = {pair: (name, revision) for pair, name, revision in rows.values_list(*columns)}
    return Counter(by_pair.values())


def parting(project: Project, model: JudgingModel) -> QuerySet[Any]:
    """Return pairs on which the model disagrees with people, with `margin`, `says` and `score`."""
    labels = decided_labels(project).filter(model=model, pair__consensus__label__isnull=False)
    differing = labels.exclude(side=F("pair__consensus__label"))
    disagreed_pairs = SentencePair.objects.filter(
        pk__in=differing.values("pair"), model_judgments__model=model
    )
    return disagreed_pairs.annotate(
        margin=pairs.margin(project),
        says=F("model_judgments__label"),
        score=F("model_judgments__score"),
    )


def labels(model: JudgingModel) -> QuerySet[Any]:
    """Return every label of a model as a named row: a study has tens of thousands."""
    rows = ModelJudgment.objects.filter(model=model)
    return rows.values_list("pair__public_id", "label", "score", named=True)


def page(rows: QuerySet[Any], *, after: Key | None = None, before: Key | None = None) -> Page[Any]:
    """Return a page of pairs, clearest majority first: there the model is most likely wrong."""
    related = rows.select_related(*pairs.RELATED)
    return keyset.page(related, columns=ORDER, size=PAGE, after=after, before=before)


def votes(tally: Sequence[int], scheme: Scheme) -> tuple[int, int]:
    """Return the votes for the leading outcome and for all others."""
    most = max(scheme.votes(tally))
    return most, sum(tally) - most


def decided_labels(project: Project) -> QuerySet[Any]:
    """Return labels on decided pairs, annotated with their `side`."""
    sides = {"side": outcome_of("label", project.scheme)}
    labels: QuerySet[Any] = ModelJudgment.objects.annotate(**sides)
    return labels.filter(
        pair__consensus__isnull=False,
        model__project=project,
        pair__gold_label=None,
        pair__excluded_by=None,
    )


def _figures_of_model(
    model: JudgingModel, rows: Sequence[Any], order: Sequence[int], judged_again: int
) -> Visit:
    """Return the figures of a model; `order` has the places of outcomes as pages list them."""
    all_cells: Cells = Counter()
    methods, by_votes = defaultdict[str, Cells](Counter), defaultdict[Any, Cells](Counter)
    kinds = defaultdict[tuple[str, str], Cells](Counter)
    for method, kind, votes, sides, number in rows:
        for cells in (all_cells, methods[method], kinds[method, kind], by_votes[votes]):
            cells[sides] += number
    table = [
        (people, [all_cells[outcome, people] for outcome in order]) for people in (*order, None)
    ]
    clearest = sorted(by_votes, key=lambda votes: (votes[1] - votes[0], votes))
    return Visit(
        model=model,
        table=[(people, counts) for people, counts in table if any(counts)],
        every=_confusion(all_cells),
        by_method={name: _confusion(methods[name]) for name in sorted(methods)},
        by_kind={way: _confusion(kinds[way]) for way in sorted(kinds) if way[1]},
        by_votes={votes: _confusion(by_votes[votes]) for votes in clearest},
        judged_again=judged_again,
    )


def _confusion(cells: Cells) -> Confusion:
    """Leave out pairs on which people have no majority."""
    return Confusion(
        {(side, majority): n for (side, majority), n in cells.items() if majority is not None}
    )
