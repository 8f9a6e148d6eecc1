"""The state of each sentence of a translation study, read from its answers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from uuid import UUID

from annotation.models import Item, Project, Translation, Validation

Action = Translation.Action
# People who must give a sentence up before it counts as untranslatable (PAWS-X 2 names none).
GIVE_UP = 2


class State(Enum):
    """How far a sentence has come."""

    WAITING = "waiting"
    TRANSLATED = "translated"
    UNTRANSLATABLE = "untranslatable"


@dataclass(frozen=True, slots=True)
class Look:
    """A validation of a translation; `action` is empty while it waits."""

    validator: int | None
    action: str
    text: str


@dataclass(frozen=True, slots=True)
class Opinion:
    """One person's answer: a translation with its validation, if it is put up, or a reason."""

    slot: int
    translator: int
    action: str
    text: str
    look: Look | None

    @property
    def is_translation(self) -> bool:
        return self.action == Action.TRANSLATE

    @property
    def stands(self) -> bool:
        """Whether it is a translation that no one rejected."""
        rejected = self.look is not None and self.look.action == Validation.Action.REJECT
        return self.is_translation and not rejected

    @property
    def is_waiting(self) -> bool:
        """Whether it is a translation that waits for its validation."""
        return self.look is not None and not self.look.action

    @property
    def final_text(self) -> str:
        """The translation as fixed or as written."""
        fixed = self.look is not None and self.look.action == Validation.Action.FIX
        return self.look.text if self.look and fixed else self.text


@dataclass(frozen=True)
class Result:
    """A sentence with all answers on it, in order."""

    item: int
    public_id: UUID
    sentence: int
    source: str
    opinions: Sequence[Opinion]

    @cached_property
    def standing(self) -> Opinion | None:
        """The translation that counts: the last one that no one rejected."""
        return next((opinion for opinion in reversed(self.opinions) if opinion.stands), None)

    @property
    def is_being_validated(self) -> bool:
        return self.standing is not None and self.standing.is_waiting

    @cached_property
    def state(self) -> State:
        if self.standing:
            return State.TRANSLATED
        given_up = sum(not opinion.is_translation for opinion in self.opinions)
        return State.UNTRANSLATABLE if given_up >= GIVE_UP else State.WAITING


def of_project(project: Project) -> Iterator[Result]:
    """Yield the sentences of a study in their order, in three queries."""
    opinions = _opinions(project)
    columns = ("pk", "public_id", "sentence1_id", "sentence1__text")
    items = Item.objects.filter(project=project, kind=Translation.KIND).order_by("pk")
    for pk, public_id, sentence, text in items.values_list(*columns):
        yield Result(pk, public_id, sentence, text, opinions.get(pk, ()))


def _opinions(project: Project) -> Mapping[int, Sequence[Opinion]]:
    validations = _validations_by_translation(project)
    opinions = defaultdict[int, list[Opinion]](list)
    rows = Translation.objects.filter(project=project).answered().order_by("item_id", "number")
    columns = ("item_id", "pk", "annotator_id", "action", "text")
    for item, slot, translator, action, text in rows.values_list(*columns):
        opinions[item].append(Opinion(slot, translator or 0, action, text, validations.get(slot)))
    return opinions


def _validations_by_translation(project: Project) -> Mapping[int, Look]:
    """Return the validations by the slot of their translation."""
    rows = Validation.objects.filter(project=project)
    columns = ("item__origin_id", "annotator_id", "action", "text")
    return {
        origin: Look(validator, action, text)
        for origin, validator, action, text in rows.values_list(*columns)
        if origin
    }
