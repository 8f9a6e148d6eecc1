"""Sentences and pairs of a translation study that a manager looks at."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from annotation import registry
from annotation.models import Project, Slot, TranslatedPair
from annotation.translations.selectors.figures import Study
from annotation.translations.selectors.results import Result, State


@dataclass(frozen=True, slots=True)
class Collapsed:
    """A pair whose two sentences have the same translation; `label` is that of the release."""

    public_id: UUID
    sentences: tuple[str, str]
    text: str
    label: int | None


def untranslatable(study: Study) -> list[Result]:
    """Return the sentences that two people gave up, in their order."""
    return [each for each in study.results if each.state is State.UNTRANSLATABLE]


def collapsed(project: Project, study: Study) -> list[Collapsed]:
    """Return the pairs with equal translations, those that are no paraphrases first."""
    labels = labels_of(project)
    text = {each.item: each.standing.final_text for each in study.results if each.standing}
    source = {each.item: each.source for each in study.results}
    pairs = TranslatedPair.objects.filter(project=project).order_by("pk")
    found = [
        Collapsed(public_id, (source[one], source[other]), text[one], labels.get(public_id))
        for public_id, one, other in pairs.values_list("public_id", "item1", "item2")
        if one in text and text[one] == text.get(other)
    ]
    return sorted(found, key=lambda pair: pair.label if pair.label is not None else 2)


def labels_of(project: Project) -> Mapping[UUID, int]:
    """Return the released labels of the pairs, by public id."""
    found: dict[UUID, int] = {}
    for labels in registry.labels_of_pairs:
        found |= labels(project)
    return found


def in_progress(project: Project) -> list[Slot]:
    """Return what people have open now: at most one item of each kind for each of them."""
    held = Slot.objects.filter(project=project).in_progress()
    return list(held.select_related("annotator").order_by("claimed_at", "pk"))
