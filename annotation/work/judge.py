"""Independent judgments of pairs, five for each by default (PAWS 4; PARADE 4.2 in grades)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

from django import forms
from django.db import connection
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext_lazy

from annotation.errors import AnnotationError, NotHeld, Refused
from annotation.models import Consensus, Duty, Item, Judgment, Project, Slot
from annotation.projects import protocols
from annotation.projects.labels import asks_about_meaning, criterion, shown
from annotation.stats.consensus import decide, first_tally
from annotation.work import judge_postgres, queue, reasons, shortcuts
from annotation.work.contract import AnswerForm, Kind, Shown, Simulated, Turn


class JudgmentForm(AnswerForm):
    """A judgment, why it was given, and whether the words that differ were highlighted."""

    label = forms.IntegerField(min_value=0, max_value=99)
    highlighted = forms.NullBooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """Add the reason. Where no one asks, pages send none, and no turn pays for its fields."""
        if "reason" in self.data:
            form = reasons.ReasonForm(self.data)
            self.cleaned_data |= form.cleaned_data if form.is_valid() else {}
            for errors in form.errors.values():
                self.add_error(None, errors)
        return self.cleaned_data


@dataclass(frozen=True, slots=True)
class Choice:
    """A label to choose: its key, its place in the scheme, its value and the displayed texts.

    `colour` is one of COLOURS, or empty.
    """

    key: str
    place: int
    value: int
    name: str
    criterion: str = ""
    example: tuple[str, ...] = ()  # both sentences and the reason
    colour: str = ""

    @property
    def shown_key(self) -> str:
        return self.key.upper()


# Of two labels: the place of each and what its key does (shortcuts.py), the first button first.
FIRST_OF_TWO = ((1, "same"), (0, "different"))
# Keys of labels without a digit, row by row of the keyboard, unless they do something else.
LETTERS = "qwertyuiopasdfghjklzxcvbnm"
MOST_STACKED = 5
# Bars on the buttons of labels (style.css).
COLOURS = {
    "": gettext_lazy("no colour"),
    "red": gettext_lazy("red"),
    "orange": gettext_lazy("orange"),
    "green": gettext_lazy("green"),
    "blue": gettext_lazy("blue"),
    "purple": gettext_lazy("purple"),
    "grey": gettext_lazy("grey"),
}


class Judge(Kind):
    """The last judgment of a pair, or enough of them, decides its consensus."""

    name = Judgment.KIND
    title = gettext_lazy("Judge pairs")
    list_title = gettext_lazy("Judgments")
    items = gettext_lazy("pairs")
    complete = gettext_lazy("Your answer to this pair can no longer be changed.")
    answers = gettext_noop("judgments")
    offer = gettext_lazy("You choose the label that fits two sentences, one pair at a time.")
    too_few = ngettext_lazy(
        "%(able)s person can judge now, and each pair needs %(slots)s.",
        "%(able)s people can judge now, and each pair needs %(slots)s.",
        "able",
    )
    stuck = ngettext_lazy(
        "%(n)s of the next pairs can’t be finished: too few people remain who can judge it.",
        "%(n)s of the next pairs can’t be finished: too few people remain who can judge them.",
        "n",
    )
    chapters = ("Judging", "Judgment", "Grading")
    has_consensus = has_gold = True
    form = JudgmentForm
    file = "judgments"
    reads = ("item__sentence1__corpus", "item__sentence2")

    def simulate(self, person: Simulated, item: Item) -> dict[str, Any]:
        label = person.label(item)
        answer: dict[str, Any] = {"label": label, "highlighted": None}
        if reasons.are_required(person.membership.project, item.public_id, label):
            answer["reason"] = person.reason(item, label)
        return answer

    def title_in(self, project: Project) -> str | Promise:
        return gettext_lazy("Grade pairs") if project.scheme.is_graded else self.title

    def offer_in(self, project: Project) -> str | Promise:
        if project.question or not asks_about_meaning(project.scheme):
            return self.offer
        if project.scheme.is_graded:
            return gettext_lazy(
                "You grade how much two sentences mean the same, one pair at a time."
            )
        return gettext_lazy("You judge whether two sentences mean the same, one pair at a time.")

    def slots_in(self, project: Project) -> int:
        return project.judgments_per_pair

    def people_in(self, project: Project) -> int:
        return protocols.of_project(project).most_judgments

    def sentences(self, item: Item) -> tuple[str, ...]:
        """Return both sentences in the order drawn for the pair, without naming the source."""
        return item.texts[::-1] if item.flipped else item.texts

    def columns(self, slot: Slot, answer: Mapping[str, Any]) -> dict[str, Any]:
        return _columns(slot.project, answer, lambda: slot.item)

    def is_note(self, slot: Slot) -> bool:
        return True

    def draft(self, posted: Mapping[str, str]) -> str | None:
        return posted.get("reason")

    def name_of(self, slot: Slot) -> str | Promise:
        return name_of(slot.label or 0, slot.project)

    def follow(self, slot: Slot, others: Sequence[Slot]) -> None:
        """Store the consensus if this was the last answer, or the project decides early.

        Deletes the slots that are then still open, including those in progress. If the last answer
        leaves the pair undecided, one more person is asked.
        """
        if slot.item.gold_label is not None:
            return
        slots = [other for other in others if not (other.excluded_by_id or other.superseded_by_id)]
        answered = sorted((other for other in slots if other.label is not None), key=_time)
        labels_by_time = [other.label or 0 for other in (*answered, slot)]
        protocol = protocols.of_pair(slot.project, slot.item)
        decision = decide(labels_by_time, protocol)
        is_early = protocol.decides_early and decision.decided
        if len(answered) < len(slots) and not is_early:
            return
        if not decision.decided:
            assert slot.submitted_at is not None  # noqa: S101 it is answered
            queue.ask_one_more(slot.project, slot.item, now=slot.submitted_at)
            return
        slot.item.slots.unanswered().delete()
        Consensus.objects.create(
            pair_id=slot.item_id,
            tally=list(decision.tally),
            first_tally=first_tally(labels_by_time, protocol),
            label=decision.majority,
            kept=decision.kept,
        )

    def withdraw(self, slot: Slot) -> bool:
        """Delete the slot that the answer opened for one more person.

        Refuse for a pair that is decided, or may have been when an answer was excluded; and if
        somebody has that slot, or has answered it.
        """
        if Consensus.objects.filter(pair=slot.item_id).exists():
            return False
        if slot.item.gold_label is not None:
            return True
        later = slot.item.slots.filter(excluded_by__created_at__gt=slot.submitted_at)
        return not later.exists() and _ask_no_more_after(slot)

    def context(
        self, project: Project, keys: Mapping[str, str], shown: Shown | None
    ) -> dict[str, Any]:
        shown_labels = labels(project, keys)
        if shown is None or not reasons.are_asked(project, shown.id):
            return shown_labels
        places = reasons.places_that_need_one(project)
        return shown_labels | {
            "asks_reason": True,
            "names_that_need_one": [name_of(place, project) for place in places],
            "places_that_need_one": places,
        }

    def turn(self, duty: Duty, answer: Mapping[str, Any] | None) -> Turn | None:
        """On Postgres, do the turn in one statement (judge_turn.sql)."""
        if connection.vendor != "postgresql" or duty.takes_reserved:
            return None
        if answer is None:
            return judge_postgres.take(duty)
        project = duty.membership.project
        try:
            read_pair = partial(_read_pair, project, answer["item"])
            columns = _columns(project, answer, read_pair)
        except AnnotationError as refusal:
            return replace(judge_postgres.take(duty), refusal=refusal)
        judgment = judge_postgres.Answer(answer["item"], seconds=answer.get("seconds"), **columns)
        turn = judge_postgres.take(duty, judgment)
        return turn if turn.refusal else replace(turn, saved=name_of(judgment.label, project))


def _ask_no_more_after(slot: Slot) -> bool:
    """Delete the open slot that follows the first answers; False if a later person has one."""
    protocol = protocols.of_project(slot.project)
    if not protocol.asks_more:
        return True
    others = list(slot.item.slots.filter(excluded_by=None, superseded_by=None).exclude(pk=slot.pk))
    answered = [other for other in others if other.label is not None]
    if len(answered) + 1 < protocol.judgments_per_pair:
        return True
    if len(answered) + 1 > protocol.judgments_per_pair and _time(slot) < max(map(_time, answered)):
        return False
    return all(queue.ask_no_more(other) for other in others if other.label is None)


def _time(slot: Slot) -> Any:
    return slot.submitted_at, slot.pk


def choices(project: Project, keys: Mapping[str, str] | None = None) -> tuple[Choice, ...]:
    """Return the labels that people choose from, in the order of the buttons.

    The project may give each label a criterion, an example, a key and a colour. A person may have
    their own keys, by action; those of answers apply to two labels whose values nobody sees.
    """
    scheme, keys = project.scheme, keys or {}
    buttons = [(place, "") for place in range(scheme.size)]
    if scheme.size == len(FIRST_OF_TWO):
        buttons = [(place, "" if scheme.shows_values else name) for place, name in FIRST_OF_TWO]
    usual_keys = _usual_keys(project, [place for place, _name in buttons], keys)
    return tuple(
        _choice(project, place, key, keys.get(action, ""))
        for (place, action), key in zip(buttons, usual_keys, strict=True)
    )


def _choice(project: Project, place: int, usual_key: str, own_key: str) -> Choice:
    """Return a label with the key that a person has changed, or that of the project."""
    value = project.scheme.value(place)
    looks: Mapping[str, str] = project.label_looks.get(str(value), {})
    has_own_key = own_key not in ("", usual_key)
    return Choice(
        key=own_key if has_own_key else looks.get("key", usual_key),
        place=place,
        value=value,
        name=name_of(place, project),
        criterion=protocols.shown_text(criterion(looks, project.scheme.name_of(place))),
        example=tuple(looks.get("example", "").splitlines()),
        colour=looks.get("colour", ""),
    )


def _usual_keys(project: Project, places: Sequence[int], keys: Mapping[str, str]) -> list[str]:
    """Return the keys of the labels at these places, which are in the order of the buttons.

    A digit chooses the label with this value; where people see no values, the button with this
    number. The others have letters that neither the person nor the project uses otherwise.
    """
    scheme = project.scheme
    keys_of_project = {looks.get("key") for looks in project.label_looks.values()}
    taken = shortcuts.keys_in_use(shortcuts.JUDGE, keys) | keys_of_project
    letters = (letter for letter in LETTERS if letter not in taken)
    if scheme.shows_values:
        numbers = [scheme.value(place) for place in places]
    else:
        numbers = [*range(1, scheme.size + 1)]
    return [
        str(number) if str(number) in shortcuts.DIGITS else next(letters, "") for number in numbers
    ]


def key_problems(project: Project, looks: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return, by value of a label, why the key that `looks` gives it cannot be used."""
    changed = Project(scheme=project.scheme, label_looks=looks)
    buttons, problems = choices(changed), dict[str, str]()
    for button in buttons:
        if not (key := looks.get(str(button.value), {}).get("key")):
            continue
        action = shortcuts.action_of(key, shortcuts.JUDGE)
        bearers = [action.label] if action else []
        bearers += [other.name for other in buttons if other.key == key and other != button]
        is_value_of_another = key in shortcuts.DIGITS and key != str(button.value)
        if is_value_of_another and project.scheme.shows_values:
            problems[str(button.value)] = _("A digit chooses the label with this value.")
        elif not shortcuts.is_usable(key):
            problems[str(button.value)] = str(shortcuts.NOT_USABLE)
        elif bearers:
            problems[str(button.value)] = shortcuts.TAKEN % {"key": key, "action": bearers[0]}
    return problems


def labels(project: Project, keys: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return what templates show of the labels: the question, all labels, those with an example.

    Up to five labels are buttons with their names; more of them, in an order, are a scale.
    """
    answers, scheme = choices(project, keys), project.scheme
    has_criteria, are_many = any(answer.criterion for answer in answers), scheme.size > MOST_STACKED
    layout = "grades" if has_criteria else "stacked" if scheme.size > len(FIRST_OF_TWO) else ""
    if are_many:
        is_scale = scheme.is_graded and not has_criteria
        layout = "scale" if is_scale else "many grades" if has_criteria else "many"
    return {
        "pair_question": question(project),
        "captions": [shown(caption) for caption in scheme.captions],
        "answers": answers,
        "exemplified": [answer for answer in answers if answer.example],
        "layout": layout,
    }


def question(project: Project) -> str:
    """Return what people are asked about each pair."""
    if project.question or not asks_about_meaning(project.scheme):
        return protocols.shown_text(project.question) or _("Which label fits?")
    if project.scheme.is_graded:
        return _("How close in meaning are these two?")
    return _("Do these two sentences mean the same?")


def name_of(label: int, project: Project) -> str:
    """Return the displayed name of a label. Raises IndexError if it is not in the scheme."""
    return shown(project.scheme.name_of(label))


def _columns(
    project: Project, answer: Mapping[str, Any], read_pair: Callable[[], Item]
) -> dict[str, Any]:
    """Return an answer as columns; its pair is read where that matters. Raises Refused."""
    if not 0 <= answer["label"] < project.scheme.size:
        raise Refused(_("The label is not one of this project."))
    can_highlight = project.highlighting != Project.Highlighting.FORBIDDEN
    highlighted = answer.get("highlighted") if can_highlight else False
    reason = reasons.columns(project, answer, read_pair)
    return {"label": answer["label"], "highlighted": highlighted, **reason}


def _read_pair(project: Project, pair: UUID) -> Item:
    """Return a pair with its sentences. Raises NotHeld if there is none."""
    rows = Item.objects.select_related("sentence1", "sentence2")
    item = rows.filter(public_id=pair, project=project, kind=Judgment.KIND).first()
    if item is None:
        raise NotHeld
    return item
