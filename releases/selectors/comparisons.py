"""Selects what people of a comparison study answered, beside the labels of the release."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from django.db.models import F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from annotation.models import Project, SentencePair
from annotation.projects.selectors import study_rows
from annotation.stats.binary import Confusion, Scores, confusion, mean
from annotation.stats.report import Row, count
from common.draws import shuffled
from common.names import free_name
from generation.nlp.text import pair_key
from releases.models import Comparison, Example, Release

WHY_COMPLETE = gettext_lazy(
    "This project compares people with a release, and its pairs were drawn from that release. "
    "Corpora, runs and pairs to judge can’t be added: use another project for them."
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


def suggested_name(release: Release) -> str:
    return free_name(Project, _("%(release)s: non-experts") % {"release": release})


def number_of(release: Release, split: str) -> int:
    return _labelled_examples(release, split).count()


def draw_examples(release: Release, split: str, number: int, *, seed: int) -> list[Example]:
    """Return random judged pairs of a split; the same seed draws the same again."""
    keys = map(str, _labelled_examples(release, split).values_list("public_id", flat=True))
    keys_of_sample = shuffled(keys, seed=seed, purpose=f"comparison {split}")[:number]
    rows = _labelled_examples(release, split).filter(public_id__in=keys_of_sample)
    related = ("pair__candidate__sentence", "pair__sentence2", "pair__origin")
    example_of_key = {str(row.public_id): row for row in rows.select_related(*related)}
    return [example_of_key[key] for key in keys_of_sample]


def comparison_results(comparison: Comparison) -> Results:
    project = comparison.project
    labels = _labels(comparison)
    people, answers = _people(project, labels)
    decided = study_rows.consensus_rows(project).filter(pair__in=labels)
    majorities = list(decided.values_list("label", "pair"))
    sides = [(side, labels[pair]) for side, pair in majorities if side is not None]
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


def _labelled_examples(release: Release, split: str) -> QuerySet[Example]:
    of_others = Q(origin=Example.Origin.PUBLISHED) & ~Q(sentence1=F("sentence2"))
    labelled = release.examples.filter(
        Q(origin=Example.Origin.JUDGED) | of_others, label__isnull=False
    )
    return labelled.filter(subset=SUBSET, split=split)


def _labels(comparison: Comparison) -> dict[int, int]:
    """Map the pairs of the project that were drawn from the release to their released labels."""
    examples = draw_examples(comparison.release, TEST, comparison.sample, seed=comparison.seed)
    labels = {
        pair_key(example.sentence1, example.sentence2): example.label or 0 for example in examples
    }
    rows = SentencePair.objects.filter(
        project=comparison.project, excluded_by=None, gold_label=None, texts_key__in=labels
    )
    return {pair: labels[key] for pair, key in rows.values_list("pk", "texts_key") if key}


def _people(project: Project, released_labels: dict[int, int]) -> tuple[list[Person], int]:
    rows = study_rows.counted_judgments(project).filter(item__in=released_labels)
    answers_of = defaultdict[int, list[tuple[int, int]]](list)
    for person, pair, label in rows.values_list("annotator", "item", "label"):
        if person is not None:
            side = int((label or 0) >= project.paraphrase_from)
            answers_of[person].append((side, released_labels[pair]))
    users = User.objects.filter(pk__in=answers_of).order_by("username")
    people = [Person(user, confusion(answers_of[user.pk])) for user in users]
    return people, sum(map(len, answers_of.values()))
