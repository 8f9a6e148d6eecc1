"""Selects what people of a comparison study answered, next to the labels of the release."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db.models import F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from annotation.models import Project
from annotation.projects.selectors import study_rows
from annotation.stats.binary import Confusion, Scores, confusion, mean
from common import bulk
from common.draws import shuffled
from common.names import free_name
from common.tables import Row, count
from generation.nlp.text import pair_key
from releases.models import Comparison, Example, Release

WHY_COMPLETE = gettext_lazy(
    "The pairs of this project were drawn from a release. Corpora, runs and pairs to judge can’t "
    "be added: use another project for them."
)

TEST, TRAIN = "test", "train"
SUBSET = "labeled_final"


@dataclass(frozen=True, slots=True)
class Person:
    user: User
    confusion: Confusion


@dataclass(frozen=True)
class Results:
    """`majority` compares the decided pairs; `ties` counts those of them without a majority.

    `answers` is the number of answers that count, and `wanted` that of a finished study.
    """

    comparison: Comparison
    pairs: int
    positives: int
    wanted: int
    answers: int
    decided: int
    ties: int
    majority: Confusion
    people: list[Person]

    @cached_property
    def mean(self) -> Scores:
        return mean([person.confusion.scores for person in self.people])

    @property
    def is_complete(self) -> bool:
        return self.decided >= self.pairs


def comparison_of_project(project: Project) -> Comparison | None:
    rows = Comparison.objects.filter(project=project)
    return rows.select_related("release__project").first()


def rows_of_project(project: Project | OuterRef) -> QuerySet[Comparison]:
    return Comparison.objects.filter(project=project)


def labels_of(project: Project) -> dict[int, int]:
    """Map the pairs of a comparison study to their released labels; empty for other projects."""
    comparison = comparison_of_project(project)
    return _labels(comparison) if comparison else {}


def comparisons_about(project: Project, readable: QuerySet[Project]) -> QuerySet[Comparison]:
    """Return the project's comparison and those with its releases, of `readable` projects."""
    rows = Comparison.objects.filter(Q(project=project) | Q(release__project=project))
    related = rows.filter(project__in=readable).select_related("project", "release__project")
    return related.order_by("created_at", "pk")


def comparisons_of_release(release: Release, user: User) -> QuerySet[Comparison]:
    roles = ("manager", "researcher")
    rows = Comparison.objects.filter(
        release=release, project__memberships__user=user, project__memberships__role__in=roles
    )
    return rows.select_related("project").order_by("created_at")


def suggested_name(release: Release, purpose: str = Comparison.Purpose.PEOPLE) -> str:
    names = {
        Comparison.Purpose.PEOPLE: _("%(release)s: non-experts"),
        Comparison.Purpose.LABELS: _("%(release)s: judged again"),
    }
    return free_name(Project, names[Comparison.Purpose(purpose)] % {"release": release})


def number_of(release: Release, splits: Collection[str]) -> int:
    return _labelled_examples(release, splits).count()


def draw_examples(
    release: Release, splits: Collection[str], number: int | None, *, seed: int
) -> list[Example]:
    """Return random labelled pairs of splits (None: all); the same seed draws the same again."""
    examples = _labelled_examples(release, splits)
    keys = map(str, examples.values_list("public_id", flat=True))
    purpose = f"comparison {' '.join(sorted(splits))}"
    keys_of_sample = shuffled(keys, seed=seed, purpose=purpose)[:number]
    rows = examples.filter(bulk.among("public_id", [*map(UUID, keys_of_sample)]))
    example_of_key = {str(row.public_id): row for row in rows}
    return [example_of_key[key] for key in keys_of_sample]


def drawn_examples(comparison: Comparison) -> dict[UUID, Example]:
    """Return the examples of a study by the key of their texts: of repeated texts the first."""
    splits, sample = comparison.splits, comparison.sample
    examples = draw_examples(comparison.release, splits, sample, seed=comparison.seed)
    example_of_key: dict[UUID, Example] = {}
    for example in examples:
        example_of_key.setdefault(pair_key(example.sentence1, example.sentence2), example)
    return example_of_key


def comparison_results(comparison: Comparison) -> Results:
    project = comparison.project
    labels = _labels(comparison)
    people, answers = _people(project, labels)
    decided = study_rows.consensus_rows(project).values_list("label", "pair")
    majorities = [(side, labels[pair]) for side, pair in decided if pair in labels]
    sides = [(side, label) for side, label in majorities if side is not None]
    return Results(
        comparison=comparison,
        pairs=len(labels),
        positives=sum(labels.values()),
        wanted=len(labels) * project.judgments_per_pair,
        answers=answers,
        decided=len(majorities),
        ties=len(majorities) - len(sides),
        majority=confusion(sides),
        people=people,
    )


def table10(results: Results, *, title: str, with_people: bool) -> list[Row]:
    """Return the rows of Table 10: the majority, the mean, and each person by user name."""
    people = [(person.user.username, person.confusion) for person in results.people]
    rows = [("Majority", results.majority.pairs, results.majority.scores)]
    rows += [("Mean of people", results.majority.pairs, results.mean)] if people else []
    if with_people:
        rows += [(name, scores_of.pairs, scores_of.scores) for name, scores_of in people]
    return _table10(title, rows)


def table10_of_sets(majorities: Iterable[tuple[Release, Confusion]]) -> list[Row]:
    """Return Table 10 with the scores of a majority for each release."""
    rows = [(str(release), scored.pairs, scored.scores) for release, scored in majorities]
    return _table10("", rows)


def _table10(title: str, rows: Iterable[tuple[str, int, Scores]]) -> list[Row]:
    return [
        (title, "Pairs", "Accuracy", "F1", "Precision", "Recall"),
        *((name, count(pairs), *format_scores(scores)) for name, pairs, scores in rows),
    ]


def format_scores(scores: Scores) -> tuple[str, str, str, str]:
    """Return the scores with two digits, as in the paper; "-" where undefined."""
    accuracy, f1, precision, recall = (
        "-" if score is None else f"{score:.2f}"
        for score in (scores.accuracy, scores.f1, scores.precision, scores.recall)
    )
    return accuracy, f1, precision, recall


def _labelled_examples(release: Release, splits: Collection[str]) -> QuerySet[Example]:
    of_others = Q(origin=Example.Origin.PUBLISHED) & ~Q(sentence1=F("sentence2"))
    labelled = release.examples.filter(
        Q(origin=Example.Origin.JUDGED) | of_others, label__isnull=False
    )
    return labelled.filter(subset=SUBSET, split__in=splits)


def _labels(comparison: Comparison) -> dict[int, int]:
    """Map the pairs of the project that were drawn from the release to their released labels."""
    examples = drawn_examples(comparison)
    rows = study_rows.pairs(comparison.project).values_list("pk", "texts_key")
    return {pair: examples[key].label or 0 for pair, key in rows if key in examples}


def _people(project: Project, released_labels: dict[int, int]) -> tuple[list[Person], int]:
    rows = study_rows.counted_judgments(project).values_list("annotator", "item", "label")
    answers_of = defaultdict[int, list[tuple[int, int]]](list)
    for person, pair, label in rows:
        if pair in released_labels and person is not None:
            side = project.scheme.outcome(label or 0)
            answers_of[person].append((side, released_labels[pair]))
    users = User.objects.filter(pk__in=answers_of).order_by("username")
    people = [Person(user, confusion(answers_of[user.pk])) for user in users]
    return people, sum(map(len, answers_of.values()))
