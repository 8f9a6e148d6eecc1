"""Selects the content of a release: its frozen rows with their origins, and what counted then."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import chain, groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeVar

from django.db.models import (
    BooleanField,
    CharField,
    JSONField,
    QuerySet,
    TextField,
    UUIDField,
    Value,
)
from django.db.models.functions import Cast, NullIf

from annotation.model_judgments import selectors as model_judgments
from annotation.models import (
    Adjudication,
    Judgment,
    ModelJudgment,
    Reopening,
    SentencePair,
)
from annotation.quality.selectors import interventions
from annotation.stats.spans import Span, turned
from common.bulk import Written
from releases.dataset.files import ANNOTATORS, SENTENCES, LineFile
from releases.dataset.rows import (
    AdjudicationRow,
    AnnotatorRow,
    JudgmentRow,
    ModelJudgmentRow,
    PromptRow,
    ReleasedPair,
    SentenceRow,
    batches,
)
from releases.dataset.sample import BEST_FIRST, MOST_DRAWN_FROM, draw
from releases.models import Example, Release
from releases.selectors import study
from releases.selectors.releases import format_of, frozen_at, settings_of

R = TypeVar("R", bound=tuple[Any, ...])
CHUNK = 5000
# The number of pairs whose answers are in memory together.
PAIRS_AT_ONCE = 1000
# The names in Example of the fields of ReleasedPair; any other has the same name in both.
_NAMES = {
    "id": "public_id",
    "sentence1": "sentence1_ref",
    "sentence2": "sentence2_ref",
    "text1": "sentence1",
    "text2": "sentence2",
}
EXAMPLE_COLUMNS = tuple(_NAMES.get(name, name) for name in ReleasedPair._fields)
_VIA = ReleasedPair._fields.index("via")
_TALLIES = tuple(map(ReleasedPair._fields.index, ("votes", "tally", "first")))
# Of an answer: the key of its pair, and what is released; at last, True if it was asked for later.
_Released = tuple[int, int, int, float | None, bool | None]
_RELEASED = ("item_id", "annotator_id", "label", "seconds")


def pairs_of(release: Release) -> Iterator[ReleasedPair]:
    """Yield the pairs with their texts, in the order of the files."""
    for row in rows_in_order(release, EXAMPLE_COLUMNS):
        cells = list(row)
        cells[_VIA] = () if cells[_VIA] == "[]" else tuple(json.loads(cells[_VIA]))
        for place in _TALLIES:
            cells[place] = parse_votes(cells[place])
        yield ReleasedPair._make(cells)


def rows_in_order(release: Release, columns: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """Yield columns of the pairs in the order of the files: JSON as text, None for empty texts.

    Positions start at 1. Rows are queried in chunks: Postgres has no statistics on rows that were
    just frozen, and would sort all of them.
    """
    rows = release.examples.order_by("position").values_list(*map(_expression, columns))
    position = 1
    while batch := list(rows.filter(position__gte=position, position__lt=position + CHUNK)):
        yield from batch
        position += CHUNK


def lines_of(release: Release, file: LineFile[R]) -> Iterator[R]:
    file = file.at_version(format_of(release).version)
    rows = release.lines.filter(file=file.path).order_by("position")
    return map(file.parse, rows.values_list("text", flat=True).iterator(CHUNK))


def sentences_of(release: Release) -> Iterator[SentenceRow]:
    """Yield the sentences: as frozen, if any belongs to a group, or else as they are.

    Nothing but their groups can change, and the names of corpora, which are frozen with the runs.
    Releases from before sentences were frozen have none.
    """
    frozen = lines_of(release, SENTENCES)
    if (row := next(frozen, None)) is None:
        return study.sentences_of(release)
    return chain([row], frozen)


def _expression(column: str) -> Any:
    """Return what to select: ids and JSON as text, because `via` is mostly empty and votes repeat.

    A text that may be blank is None in ReleasedPair.
    """
    field = Example._meta.get_field(column)
    if isinstance(field, UUIDField):
        return Written(column)
    if isinstance(field, JSONField):
        return Cast(column, TextField())
    if isinstance(field, CharField | TextField) and field.blank:
        return NullIf(column, Value(""), output_field=TextField())
    return column


@cache
def parse_votes(text: str | None) -> tuple[int, ...] | None:
    return None if text is None else tuple(json.loads(text))


def sample(release: Release, number: int) -> list[Example]:
    """Return pairs of the best split that has any, in random order; the release's seed draws them.

    Runs four queries at most, and reads texts of the drawn pairs alone.
    """
    rows = release.examples.filter(subset=format_of(release).tables[0].subset).order_by("position")
    for split in BEST_FIRST:
        labels = rows.filter(split=split).values_list("public_id", "label")[:MOST_DRAWN_FROM]
        if label_by_id := {str(key): label for key, label in labels}:
            ids = draw(label_by_id, number, seed=release.seed)
            drawn = release.examples.filter(public_id__in=ids).select_related("pair")
            return sorted(drawn, key=lambda example: ids.index(str(example.public_id)))
    return []


def examples_in_files(release: Release, filters: Mapping[str, str]) -> QuerySet[Example]:
    """Return the pairs that are in a table; filters are values of columns."""
    return release.examples.exclude(subset="").filter(**filters)


class _Answer(NamedTuple):
    """The columns that are released, and those that decide whether an answer counted."""

    item_id: int
    annotator_id: int
    label: int
    seconds: float | None
    id: int
    submitted_at: datetime
    superseded_by__number: int | None
    superseded_by__created_at: datetime | None


def judgments_of(release: Release) -> Iterator[JudgmentRow]:
    """Yield the answers that counted at freezing under their pseudonyms, ordered by pair.

    Runs two queries per thousand pairs; memory use does not grow with the number of pairs.
    """
    columns = ("annotator_id", "name", "annotator__is_simulated")
    values = settings_of(release).scheme.values
    person_by_id = {key: person for key, *person in release.pseudonyms.values_list(*columns)}
    until = interventions.excluded_until(release.project, frozen_at(release))
    judged = release.examples.filter(origin=Example.Origin.JUDGED).order_by("pair_id")
    has_reasons = settings_of(release).reasons
    # Votes as text: they repeat, and `parse_votes` parses each text only once.
    pairs = judged.values_list("pair_id", Written("public_id"), Cast("votes", TextField()))
    for batch in batches(pairs.iterator(CHUNK), PAIRS_AT_ONCE):
        number_of_answers = {key: sum(parse_votes(votes) or ()) for key, _, votes in batch}
        answers_by_pair = _answers_of(release, number_of_answers, until)
        reasons = _reasons_of(release, number_of_answers) if has_reasons else {}
        for key, public_id, _ in batch:
            for _, annotator, label, seconds, later in answers_by_pair[key]:
                pseudonym, is_simulated = person_by_id[annotator]
                reason = reasons.get((key, annotator), ())
                answer = (public_id, pseudonym, values[label], seconds, is_simulated, later)
                yield JudgmentRow(*answer, *reason)


def _reasons_of(
    release: Release, pairs: Iterable[int]
) -> dict[tuple[int, int], tuple[str | None, tuple[Span, ...] | None]]:
    """Return text and words of the answers with a reason, by pair and annotator.

    Leaves out those that were hidden at freezing. Words are by the sentences as released.
    """
    keys = list(pairs)
    examples = release.examples.filter(pair__in=keys)
    order = examples.values_list("pair_id", "sentence1_ref", "pair__sentence1__public_id")
    turned_pairs = {key for key, released, stored in order if released != stored}
    answers = Judgment.objects.filter(item__in=keys).exclude(text="", words__isnull=True)
    rows = answers.exclude(hidden_reason__at__lte=frozen_at(release))
    reasons = {}
    for pair, annotator, text, stored_words in rows.values_list(
        "item_id", "annotator_id", "text", "words"
    ):
        spans = [(sentence, start, end) for sentence, start, end in stored_words or ()]
        words = turned(spans) if pair in turned_pairs else spans
        reasons[pair, annotator] = (text or None, tuple(words) or None)
    return reasons


def grade_tallies(release: Release, examples: Iterable[Example]) -> dict[int, list[int]]:
    """Return how many answers that counted gave each grade, by the key of a graded pair."""
    project = release.project
    numbers = {
        example.pair_id: sum(example.votes)
        for example in examples
        if example.grade is not None and example.votes and example.pair_id
    }
    ours = SentencePair.objects.filter(project=project, pk__in=numbers)
    numbers = {key: numbers[key] for key in ours.values_list("pk", flat=True)}
    until = interventions.excluded_until(project, frozen_at(release)) if numbers else {}
    answers_by_pair = _answers_of(release, numbers, until) if numbers else {}
    tallies = {key: [0] * project.scheme.size for key in answers_by_pair}
    for key, answers in answers_by_pair.items():
        for _, _, grade, *_ in answers:
            tallies[key][grade] += 1
    return tallies


def _answers_of(
    release: Release, numbers: Mapping[int, int], until: Mapping[int, datetime]
) -> dict[int, list[_Released]]:
    """Return the answers that counted on pairs, whose numbers of votes are given.

    A pair with just as many answers, all of the first people, needs no further columns: all of them
    counted.
    """
    settings = settings_of(release)
    first = settings.judgments_per_pair if settings.protocol.asks_more else None
    rows = Judgment.objects.filter(item__in=numbers).answered().order_by("item_id", "number")
    columns = (*_RELEASED, Value(None, output_field=BooleanField()))
    released = groupby(rows.values_list(*columns), key=itemgetter(0))
    answers_of = {key: list(rows_of_pair) for key, rows_of_pair in released}
    unequal = [
        key
        for key, number in numbers.items()
        if len(answers_of[key]) != number or (first and number > first)
    ]
    details = map(_Answer._make, rows.filter(item__in=unequal).values_list(*_Answer._fields))
    for key, rows_of_pair in groupby(details, key=itemgetter(0)):
        in_force = _answers_in_force(list(rows_of_pair), frozen_at(release), until)
        counting = _first_answers(in_force, numbers[key])
        at_first = _first_answers(counting, first or numbers[key])
        answers_of[key] = [(*row[:4], None if row in at_first else True) for row in counting]
    return answers_of


def _answers_in_force(
    answers: Sequence[_Answer], moment: datetime, until: Mapping[int, datetime]
) -> list[_Answer]:
    """Return the answers in force at a moment: those of the first round superseded after it.

    Those that were given before an exclusion of their annotator are left out.
    """
    superseded_at_by_round = {
        row.superseded_by__number: row.superseded_by__created_at for row in answers
    }
    later = [
        number
        for number, superseded_at in superseded_at_by_round.items()
        if number and superseded_at and superseded_at > moment
    ]
    number = min(later, default=None)
    return [
        row
        for row in answers
        if row.superseded_by__number == number
        and not (row.annotator_id in until and row.submitted_at <= until[row.annotator_id])
    ]


def _first_answers(counting: list[_Answer], number: int) -> list[_Answer]:
    """Return the first answers by time, which count; a pair may have received more since."""
    earliest = sorted(counting, key=attrgetter("submitted_at", "id"))[:number]
    return [row for row in counting if row in earliest]


def annotators_of(release: Release) -> list[AnnotatorRow]:
    """Return the replies of annotators, ordered by pseudonym."""
    return sorted(lines_of(release, ANNOTATORS), key=attrgetter("annotator"))


def adjudications_of(release: Release) -> Iterator[AdjudicationRow]:
    """Yield the latest expert decision at freezing for each pair that is not kept."""
    rows_of_project = Adjudication.objects.filter(
        pair__examples__release=release,
        pair__examples__kept=False,
        created_at__lte=frozen_at(release),
    )
    rows = rows_of_project.order_by("pair_id", "id").values_list(
        Written("pair__public_id"), "label"
    )
    values = settings_of(release).scheme.outcome_values
    for pair, labels in groupby(rows.iterator(CHUNK), key=itemgetter(0)):
        *_, (_, label) = labels
        yield AdjudicationRow(pair, None if label is None else values[label])


def prompts_of(release: Release) -> Iterator[PromptRow]:
    """Yield the prompts of models behind endpoints, which are frozen as facts."""
    return (PromptRow(**row) for row in release.facts.get("prompts", ()))


def model_judgments_of(release: Release) -> Iterator[ModelJudgmentRow]:
    """Yield the labels that models added before freezing gave to the judged pairs."""
    labels = ModelJudgment.objects.filter(
        model__project=release.project,
        model__created_at__lte=frozen_at(release),
        pair__examples__release=release,
    ).order_by("model_id", "pair_id")
    values = settings_of(release).scheme.values
    columns = ("model__name", "model__revision", "label", "score")
    rows = labels.values_list(Written("pair__public_id"), *columns)
    for pair, name, revision, label, score in rows.iterator(CHUNK):
        yield ModelJudgmentRow(pair, name, revision, values[label], score)


def count_reopened(release: Release) -> int:
    """Count the judged pairs whose released answers are not from the first round."""
    return _reopenings_of(release).values("pair").distinct().count()


def judged_again_of(release: Release) -> Counter[tuple[str, str]]:
    """Count those of them that were reopened because a model disagreed, by name and revision."""
    return model_judgments.judged_again(_reopenings_of(release))


def _reopenings_of(release: Release) -> QuerySet[Reopening]:
    return Reopening.objects.filter(
        pair__examples__release=release, created_at__lte=frozen_at(release)
    )
