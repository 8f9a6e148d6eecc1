"""Items for managers, of every kind: those in progress, skipped or set aside."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count, Prefetch, Q, QuerySet

from annotation.models import Item, Project, Skip, Slot
from annotation.models.items import WITH_TEXTS
from annotation.work.contract import Kind
from annotation.work.kinds import KINDS
from common.spreadsheets import Cell

# Each person has at most one item of a kind in progress.
MOST_IN_PROGRESS = 1000
# More than a manager handles in one session.
MOST_ASIDE = 200
# The file of the answers of any kind.
COLUMNS = (
    "id slot sentences label action text annotator simulated seconds submitted_at set_aside_at"
    " excluded"
)


@dataclass(frozen=True, slots=True)
class Line:
    """An item as a manager sees it; `record` is its slot or skip, None for an item by itself."""

    item: Item
    sentences: tuple[str, ...]
    language: str
    record: Slot | Skip | None = None

    @property
    def texts(self) -> list[tuple[str, str]]:
        return list(zip(self.sentences, KINDS[self.item.kind].languages(self.item), strict=True))


def items_in_progress(project: Project) -> list[Line]:
    """Return slots in progress, longest first, at most MOST_IN_PROGRESS, by an index of slots."""
    slots = Slot.objects.filter(project=project).in_progress()
    related = ("annotator", *(f"item__{path}" for path in WITH_TEXTS))
    rows = slots.select_related(*related).order_by("claimed_at", "pk")[:MOST_IN_PROGRESS]
    return [line_of(slot.item, slot, project=project) for slot in rows]


def items_set_aside(project: Project) -> list[Line]:
    """Return items that are set aside, oldest first, at most MOST_ASIDE, with their skips.

    Excluded pairs are left out: they are put back from their own page.
    """
    skips = Prefetch("skips", Skip.objects.select_related("annotator").order_by("pk"))
    items = Item.objects.filter(project=project, set_aside_at__isnull=False, excluded_by=None)
    rows = items.select_related(*WITH_TEXTS).prefetch_related(skips).order_by("set_aside_at")
    return [line_of(item, project=project) for item in rows[:MOST_ASIDE]]


def skips(project: Project, *, kind: str = "", reason: str = "") -> QuerySet[Skip]:
    """Return skips, optionally of one kind of work or for a reason (Skip.Reason)."""
    related = ("annotator", *(f"item__{path}" for path in WITH_TEXTS))
    rows = Skip.objects.filter(project=project).select_related(*related)
    if kind:
        rows = rows.filter(item__kind=kind)
    return rows.filter(reason=reason) if reason else rows


def line_of(
    item: Item, record: Slot | Skip | None = None, *, project: Project | None = None
) -> Line:
    """Return an item as a manager sees it. Raises KeyError for an unknown kind.

    With their `project`, the items of a list share its row and its settings.
    """
    kind = KINDS[item.kind]
    if project is not None:
        item.project = project
    return Line(item, kind.sentences(item), kind.language(item), record)


@dataclass(frozen=True, slots=True)
class AnswerFilters:
    """Filters of a list of answers: a state of its kind, a method, and words of its texts."""

    state: str = ""
    method: str = ""
    words: Collection[str] = ()


def answers(project: Project, kind: Kind, filters: AnswerFilters) -> QuerySet[Slot]:
    """Return the slots of a kind in a state, by method, that contain all of the words."""
    rows = _slots(project, kind).filter(_condition(kind, filters))
    rows = rows.prefetch_related("results__duplicate_of")
    return rows.select_related("annotator", "item__candidate__run", "hidden_reason", *kind.reads)


def shown_text(slot: Slot) -> str:
    """Return what a person wrote, unless it is a hidden reason."""
    return "" if hasattr(slot, "hidden_reason") else slot.text


def numbers_of(project: Project, kind: Kind, filters: Sequence[AnswerFilters]) -> list[int]:
    """Return how many answers match each of the filters, in one query."""
    counts = {
        f"n{place}": Count("pk", filter=_condition(kind, wanted))
        for place, wanted in enumerate(filters)
    }
    numbers = _slots(project, kind).aggregate(**counts)
    return [numbers[name] for name in counts]


def _slots(project: Project, kind: Kind) -> QuerySet[Slot]:
    return Slot.objects.filter(project=project, kind=kind.name).without_gold()


def _condition(kind: Kind, filters: AnswerFilters) -> Q:
    wanted = kind.states()[filters.state][1]
    if filters.method:
        wanted &= Q(item__candidate__run__method=filters.method)
    for word in filters.words:
        wanted &= (
            Q(item__candidate__text__icontains=word)
            | Q(item__sentence1__text__icontains=word)
            | Q(item__sentence2__text__icontains=word)
            | Q(text__icontains=word)
        )
    return wanted


def cells(kind: Kind, slot: Slot, annotator: str | None) -> tuple[Cell, ...]:
    """Return the cells of COLUMNS; `annotator` is the name to show."""
    return (
        str(slot.item.public_id),
        slot.number,
        "\n".join(kind.sentences(slot.item)),
        slot.label,
        slot.action or None,
        shown_text(slot) or None,
        annotator,
        slot.annotator.is_simulated if slot.annotator and slot.submitted_at else None,
        slot.seconds,
        slot.submitted_at,
        slot.item.set_aside_at,
        slot.excluded_by_id is not None or slot.item.excluded_by_id is not None,
    )
