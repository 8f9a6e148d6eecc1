"""What a manager looks at before delivery: what is missing, and what people could not translate."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from annotation import registry
from annotation.models import Item, Project, Slot, TranslatedPair, Translation, Validation
from annotation.people.selectors import workforce
from annotation.translations.selectors.figures import Figures, Study, Translator
from annotation.translations.selectors.results import Result, State
from annotation.translations.stats.word_errors import Rate

NameOf = Callable[[int], str]
CLOSED = gettext_lazy("The project is closed: no one gets work.")
# Of each kind of work: that no one can do it, and that some of it may go to none of those who can.
TEXTS = {
    Translation.KIND: (
        gettext_lazy(
            "Sentences wait for a translation, and no one can translate. Add translators."
        ),
        ngettext_lazy(
            "%(n)s of the next sentences can’t be translated: each translator had or skipped it, "
            "or had the other sentence of its pair. Add a translator.",
            "%(n)s of the next sentences can’t be translated: each translator had or skipped them, "
            "or had the other sentences of their pairs. Add a translator.",
            "n",
        ),
    ),
    Validation.KIND: (
        gettext_lazy("Translations wait for validation, and no one can validate. Add validators."),
        ngettext_lazy(
            "%(n)s of the next translations can’t be validated: each validator had its sentence "
            "or skipped it. Add a validator.",
            "%(n)s of the next translations can’t be validated: each validator had their sentences "
            "or skipped them. Add a validator.",
            "n",
        ),
    ),
}


def obstacles(figures: Figures, name_of: NameOf) -> list[str]:
    """Return each reason why the translations cannot be delivered; people by `name_of`."""
    return [
        *_unfinished_work(figures),
        *(text for person in figures.translators for text in _shortfalls(figures, person, name_of)),
        *_overall(figures),
    ]


def percent(rate: float) -> str:
    """Format a share for a sentence."""
    return f"{number_format(round(100 * rate, 1), 1)} %"


def _unfinished_work(figures: Figures) -> Iterator[str]:
    waiting = figures.progress.waiting.sentences
    validating = sum(person.waiting for person in figures.translators)
    if number := waiting:
        text = ngettext(
            "%(n)s sentence is not translated yet.",
            "%(n)s sentences are not translated yet.",
            number,
        )
        yield text % {"n": number}
    if number := validating:
        text = ngettext(
            "%(n)s translation waits for validation.",
            "%(n)s translations wait for validation.",
            number,
        )
        yield text % {"n": number}
    if waiting or validating:
        yield from blockages(figures.plan.project)
    if not figures.progress.done.sentences:
        yield _("No sentence is translated.")


def _shortfalls(figures: Figures, person: Translator, name_of: NameOf) -> Iterator[str]:
    if person.too_few and not person.waiting:
        text = _(
            "Of %(name)s, %(validated)s of %(all)s translations are validated, and the settings "
            "ask for at least %(least)s. Have more of them validated."
        )
        least = min(figures.plan.least_validated, person.translated.sentences)
        numbers = {"validated": person.looked.number, "all": person.translated.sentences}
        yield text % {"name": name_of(person.user), "least": least, **numbers}
    if person.too_high:
        text = _(
            "The word error rate of %(name)s is %(rate)s, which is not below %(bound)s. Have all "
            "of their translations validated."
        )
        yield text % {"name": name_of(person.user), **_rates(figures, person.rate)}


def _overall(figures: Figures) -> Iterator[str]:
    if figures.unseen is not None and figures.is_too_high:
        text = _("The word error rate of the study is %(rate)s, which is not below %(bound)s.")
        yield text % _rates(figures, figures.unseen)


def _rates(figures: Figures, rate: Rate) -> dict[str, str]:
    return {"rate": percent(rate.value or 0.0), "bound": percent(figures.plan.most_error)}


def blockages(project: Project) -> list[str]:
    """Return why open sentences or translations reach no one; empty if all of them can go on."""
    if not project.is_open:
        return [str(CLOSED)]
    people = workforce.people(project)
    workers = {kind: len(members) for kind, members in people.items()}
    unfinishable = workforce.unfinishable(project, people)
    stuck = {kind: len(items) for kind, items in unfinishable.items()}
    slots = dict.fromkeys(TEXTS, 1)
    reasons = list(workforce.describe_lack(project, TEXTS, workers, stuck, slots))
    set_aside = Item.objects.filter(project=project, set_aside_at__isnull=False, excluded_by=None)
    if number := set_aside.count():
        text = ngettext(
            "%(n)s item is set aside. Return it to the queue on the page of skipped items.",
            "%(n)s items are set aside. Return them to the queue on the page of skipped items.",
            number,
        )
        reasons.append(text % {"n": number})
    return reasons


@dataclass(frozen=True, slots=True)
class Collapsed:
    """A pair whose two sentences have the same translation; `label` is that of the release."""

    public_id: UUID
    sentences: tuple[str, str]
    text: str
    label: int | None


def untranslatable_sentences(study: Study) -> list[Result]:
    """Return the sentences that two people gave up, in their order."""
    return [result for result in study.results if result.state is State.UNTRANSLATABLE]


def equal_translations(project: Project, study: Study) -> list[Collapsed]:
    """Return the pairs with equal translations, those that are no paraphrases first."""
    labels = labels_of(project)
    text = {result.item: result.standing.final_text for result in study.results if result.standing}
    source = {result.item: result.source for result in study.results}
    pairs = TranslatedPair.objects.filter(project=project).order_by("pk")
    equal = [
        Collapsed(public_id, (source[item1], source[item2]), text[item1], labels.get(public_id))
        for public_id, item1, item2 in pairs.values_list("public_id", "item1", "item2")
        if item1 in text and text[item1] == text.get(item2)
    ]
    return sorted(equal, key=lambda pair: pair.label if pair.label is not None else 2)


def labels_of(project: Project) -> Mapping[UUID, int]:
    """Return the released labels of the pairs, by public id."""
    labels: dict[UUID, int] = {}
    for labels_of_room in registry.labels_of_pairs:
        labels |= labels_of_room(project)
    return labels


def items_in_progress(project: Project) -> list[Slot]:
    """Return what people have open now: at most one item of each kind for each of them."""
    slots = Slot.objects.filter(project=project).in_progress()
    return list(slots.select_related("annotator").order_by("claimed_at", "pk"))
