"""A project's answers as long tables, one row each, without its gold pairs.

Lists read columns of them, not objects: a study has a quarter of a million rows.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.expressions import Col
from django.db.models.functions import Coalesce

from annotation.models import (
    Adjudication,
    Correction,
    Item,
    Judgment,
    ModelJudgment,
    Project,
    Reopening,
    SentencePair,
)
from annotation.models.reasons import shown_columns
from annotation.projects.selectors import study_rows
from common import bulk

PAIRS_AT_ONCE = 1_000
_OF_JUDGMENT = (
    "item__public_id",
    "number",
    "annotator",
    "label",
    "seconds",
    "submitted_at",
    "highlighted",
    "reason",
    "marked",
    "superseded_by",
    "annotator__is_simulated",
)
# The key of the joined pair. The ORM would use the answer's foreign key, and SQLite would then
# sort all answers of a project for each page.
_PLACE = Col(SentencePair._meta.db_table, SentencePair._meta.get_field("id"))


def pairs(project: Project) -> QuerySet[SentencePair]:
    """Return pairs with their counts of answers, `rounds` and `adjudicated`."""
    own_pairs = SentencePair.objects.filter(project=project, gold_label=None)
    return _annotate_rounds(study_rows.with_counts(own_pairs))


def with_history(pairs: QuerySet[SentencePair]) -> QuerySet[SentencePair]:
    """Return pairs with counts, `rounds`, reopenings, model judgments and duplicates."""
    models = ModelJudgment.objects.select_related("model").order_by("model")
    repeats = Item.objects.select_related("candidate__run").order_by("pk")
    related = study_rows.with_counts(pairs).prefetch_related(
        "reopenings__because", Prefetch("model_judgments", models), Prefetch("duplicates", repeats)
    )
    return _annotate_rounds(related)


def judgments(project: Project) -> QuerySet[Any]:
    """Return every answer with its `round`, including answers that do not count.

    `out` tells those that are excluded, or on a pair that is.

    In the order of `place` (the key of the pair) and `number`, rows are read without sorting.
    """
    # The filter is on the answer's project, which is also its item's. With the item's, a database
    # whose statistics know few items of the project might read all of them, not only these keys.
    answers = Judgment.objects.filter(
        project=project,
        item__kind=Judgment.KIND,
        item__gold_label=None,
        item__duplicate_of=None,
        submitted_at__isnull=False,
    )
    before = F("superseded_by__number") - 1
    is_out = Q(excluded_by__isnull=False) | Q(item__excluded_by__isnull=False)
    rows = answers.annotate(
        **shown_columns(),
        round=Coalesce(before, _last_round("item"), output_field=IntegerField()),
        place=_PLACE,
        out=ExpressionWrapper(is_out, BooleanField()),
    )
    return rows.values_list(*_OF_JUDGMENT, "round", "place", "out", named=True)


def judgments_with_names(project: Project) -> Iterator[Any]:
    """Yield the rows of `judgments` in order, each with the user name of its annotator.

    Reads the answers of some pairs at a time: Postgres would sort all answers of a study.
    """
    pairs = SentencePair.objects.filter(project=project, gold_label=None).order_by("pk")
    columns = (*_OF_JUDGMENT, "round", "out", "annotator__username")
    rows = judgments(project).order_by("place", "number").values_list(*columns, named=True)
    last = 0
    while keys := list(pairs.filter(pk__gt=last).values_list("pk", flat=True)[:PAIRS_AT_ONCE]):
        yield from rows.filter(bulk.among("item", keys), bulk.among("place", keys))
        last = keys[-1]


def corrections(project: Project) -> QuerySet[Any]:
    """Return every correction, with the resulting `pair`."""
    pair = Coalesce("results__duplicate_of__public_id", "results__public_id")
    return Correction.objects.filter(project=project).answered().annotate(pair=pair)


def _annotate_rounds(pairs: QuerySet[SentencePair]) -> QuerySet[SentencePair]:
    by_expert = Adjudication.objects.filter(pair=OuterRef("pk"))
    return pairs.annotate(rounds=_last_round("pk"), adjudicated=Exists(by_expert))


def _last_round(pair: str) -> Coalesce:
    """Return the number of the latest round; 1 if the pair was never reopened."""
    rounds = Reopening.objects.filter(pair=OuterRef(pair)).order_by("-number").values("number")
    return Coalesce(Subquery(rounds[:1]), Value(1), output_field=IntegerField())
