"""Selects the pairs of a release that are translated, and the studies that translate it."""

from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import User
from annotation.models import Project, TranslatedPair
from releases.dataset import families
from releases.dataset.translated.files import DRAW
from releases.dataset.translated.rows import Pair
from releases.models import Example, Release, TranslationSource

SPLITS = ("dev", "test")
SUBSET = "labeled_final"
PEOPLE_MADE = (Example.Origin.JUDGED, Example.Origin.RECOMBINED, Example.Origin.PUBLISHED)
MOST_PAIRS = 1_000_000


def source_of_project(project: Project) -> TranslationSource | None:
    sources = TranslationSource.objects.filter(project=project)
    return sources.select_related("release__project").first()


def sources_of_release(release: Release, user: User) -> QuerySet[TranslationSource]:
    is_own = Q(project__memberships__user=user)
    sources = TranslationSource.objects.filter(
        is_own, release=release, project__memberships__role__in=("manager", "researcher")
    )
    return sources.select_related("project__translation_plan").order_by("created_at")


def sources_about(project: Project, readable: QuerySet[Project]) -> QuerySet[TranslationSource]:
    """Return the project's source and the studies with its releases, of `readable` projects."""
    sources = TranslationSource.objects.filter(Q(project=project) | Q(release__project=project))
    related = sources.filter(project__in=readable).select_related("project")
    return related.order_by("created_at", "pk")


def labels_of(project: Project) -> dict[UUID, int]:
    """Return the labels of the pairs that a study translates, by public id."""
    source = source_of_project(project)
    if source is None:
        return {}
    examples = source.release.examples.filter(label__isnull=False, split__in=SPLITS)
    return {
        key: label for key, label in examples.values_list("public_id", "label") if label is not None
    }


def pairs_of(release: Release, split: str) -> QuerySet[Example]:
    """Return the pairs of labeled_final in a split, in released order."""
    return release.examples.filter(subset=SUBSET, split=split, origin__in=PEOPLE_MADE).order_by(
        "position"
    )


def draw_examples(release: Release, split: str, most: int | None, *, seed: int) -> list[Example]:
    """Return all pairs of a split, or at most `most` of them in whole families."""
    pairs = list(pairs_of(release, split))
    sides = [(pair.sentence1, pair.sentence2) for pair in pairs]
    places = families.draw_pairs(sides, most, seed=seed, purpose=DRAW.format(split))
    return [pairs[place] for place in places]


def source_pairs(project: Project) -> dict[str, Pair]:
    release = TranslationSource.objects.values("release").filter(project=project)
    ids = TranslatedPair.objects.filter(project=project).values("public_id")
    rows = Example.objects.filter(release__in=release, public_id__in=ids)
    columns = ("public_id", "sentence1", "sentence2", "label")
    return {
        str(key): Pair(str(key), text1, text2, str(label))
        for key, text1, text2, label in rows.order_by("position").values_list(*columns)
    }
