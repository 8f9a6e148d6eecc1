"""Independent judgments of pairs, five for each by default (PAWS 4; PARADE 4.2 in grades)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.db import connection
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext_lazy

from annotation.errors import Refused
from annotation.models import Consensus, Duty, Item, Judgment, Project, Slot
from annotation.projects import protocols
from annotation.projects.labels import criterion, shown_name
from annotation.stats.consensus import decide, first_tally
from annotation.stats.labels import Scheme
from annotation.work import judge_postgres, queue
from annotation.work.contract import AnswerForm, Kind, Shown, Simulated, Turn


class JudgmentForm(AnswerForm):
    """A judgment, and whether the words that differ were highlighted."""

    label = forms.IntegerField(min_value=0, max_value=99)
    highlighted = forms.NullBooleanField(required=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """A label to choose: its key, its place in the scheme, its value and the displayed texts."""

    key: str
    place: int
    value: int
    name: str
    criterion: str = ""
    example: tuple[str, ...] = ()  # both sentences and the reason
    action: str = ""  # under which a person may have changed the key (shortcuts.py)


# Of two labels: the place of each and what its key does (shortcuts.py), the first button first.
FIRST_OF_TWO = ((1, "same"), (0, "different"))
MOST_KEYS = 10


class Judge(Kind):
    """The last judgment of a pair, or enough of them, decides its consensus."""

    name = Judgment.KIND
    title = gettext_lazy("Judge pairs")
    list_title = gettext_lazy("Judgments")
    items = gettext_lazy("pairs")
    complete = gettext_lazy("Your answer to this pair can no longer be changed.")
    answers = gettext_noop("judgments")
    offer = gettext_lazy("You judge whether two sentences mean the same, one pair at a time.")
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
        return {"label": person.label(item), "highlighted": None}

    def title_in(self, project: Project) -> str | Promise:
        return gettext_lazy("Grade pairs") if project.scheme.is_graded else self.title

    def offer_in(self, project: Project) -> str | Promise:
        if not project.scheme.is_graded:
            return self.offer
        return gettext_lazy("You grade how much two sentences mean the same, one pair at a time.")

    def slots_in(self, project: Project) -> int:
        return project.judgments_per_pair

    def sentences(self, item: Item) -> tuple[str, ...]:
        """Return both sentences in the order drawn for the pair, without naming the source."""
        return item.texts[::-1] if item.flipped else item.texts

    def language(self, item: Item) -> str:
        assert item.sentence1 is not None  # noqa: S101 a constraint requires it
        return item.sentence1.corpus.language

    def columns(self, slot: Slot, answer: Mapping[str, Any]) -> dict[str, Any]:
        return _columns(slot.project, answer)

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
        return labels(project, keys)

    def turn(self, duty: Duty, answer: Mapping[str, Any] | None) -> Turn | None:
        """On Postgres, do the turn in one statement (judge_turn.sql)."""
        if connection.vendor != "postgresql" or duty.takes_reserved:
            return None
        if answer is None:
            return judge_postgres.take(duty)
        project = duty.membership.project
        try:
            columns = _columns(project, answer)
        except Refused as refusal:
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

    The project may give a criterion and an example for each label, and a person their own keys.
    """
    scheme, keys = project.scheme, keys or {}
    if scheme.size == len(FIRST_OF_TWO):
        buttons, usual_keys = [*FIRST_OF_TWO], ["1", "2"]
    else:
        buttons = [(place, "") for place in range(scheme.size)]
        usual_keys = _usual_keys(scheme)
    return tuple(
        _choice(project, place, key=keys.get(action, key), action=action)
        for (place, action), key in zip(buttons, usual_keys, strict=True)
    )


def _choice(project: Project, place: int, *, key: str, action: str) -> Choice:
    label = project.scheme.labels[place]
    looks: Mapping[str, str] = project.label_looks.get(str(label.value), {})
    return Choice(
        key=key,
        place=place,
        value=label.value,
        name=shown_name(label),
        criterion=criterion(looks, label),
        example=tuple(looks.get("example", "").splitlines()),
        action=action,
    )


def _usual_keys(scheme: Scheme) -> list[str]:
    """Return the keys of the labels: their digits if all have one, else 1 to 9, 0 and the next."""
    if all(0 <= value < MOST_KEYS for value in scheme.values):
        return [str(value) for value in scheme.values]
    return [*"1234567890", "minus"][: scheme.size]


def labels(project: Project, keys: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return what templates show of the labels: all, and those with an example."""
    answers = choices(project, keys)
    return {"answers": answers, "exemplified": [answer for answer in answers if answer.example]}


def name_of(label: int, project: Project) -> str:
    """Return the displayed name of a label. Raises IndexError if it is not in the scheme."""
    return shown_name(project.scheme.labels[label])


def _columns(project: Project, answer: Mapping[str, Any]) -> dict[str, Any]:
    if not 0 <= answer["label"] < project.scheme.size:
        raise Refused(_("The label is not one of this project."))
    can_highlight = project.highlighting != Project.Highlighting.FORBIDDEN
    highlighted = answer.get("highlighted") if can_highlight else False
    return {"label": answer["label"], "highlighted": highlighted}
