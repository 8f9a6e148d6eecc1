"""Simulated annotators for trials and load tests; they use the same services as people."""

import math
from collections import ChainMap, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import islice
from random import Random
from typing import ClassVar
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.utils import timezone

from accounts.models import User
from annotation import registry
from annotation.models import AnnotatorQuestion, Item, Membership, Project, Slot
from annotation.projects.services import projects
from annotation.questions import selectors as questions
from annotation.questions.services import reply
from annotation.stats.labels import Scheme
from annotation.work import answers, queue
from annotation.work.contract import Turn
from annotation.work.kinds import KINDS
from annotation.work.simulated_texts import Wording, careless, word_by_word
from common.draws import draw
from generation.models import Candidate, Method

# Shares of paraphrases in PAWS Tables 3 and 4, where they are not estimated: word swaps, back
# translations.
PARAPHRASES = {Method.WORD_SWAP: 0.121, Method.BACK_TRANSLATION: 0.949}
# Of rewrites by chat models, by what they were asked to be; these are guesses.
PARAPHRASES_OF_INTENT = {"paraphrase": 0.9, "near miss": 0.15}
# "each label only takes about 24 seconds" (PAWS 4); the spread is ours.
MEDIAN_SECONDS, SPREAD = 22.0, 0.4
# Careless annotators are faster, but slower than the default `floor_seconds`.
CARELESS_SECONDS = MEDIAN_SECONDS / 4

# Sentences that no one can translate: 279 of 4,968 were given up by someone in PAWS-X.
UNTRANSLATABLE = 0.02

RELATED = ("candidate__run", "candidate__sentence", "sentence1", "sentence2", "origin")
# Items that simulated people remember together: several answer each.
REMEMBERED = 1000


@dataclass
class SimulatedAnnotator:
    """Gives the true label of each pair with probability `accuracy`.

    `read` returns an item by its id. `at` holds the turn after the last answer of each kind, and
    its time; its item may no longer be open. `known` has translations by source; other sentences
    are translated word by word. `labels` has the true outcomes of pairs, by key, and `reasons` why
    they are true.
    """

    membership: Membership
    accuracy: float
    seed: int
    random: Random
    read: Callable[[UUID], Item]
    at: dict[str, tuple[Turn, datetime]] = field(default_factory=dict)
    known: Mapping[str, Wording] = field(default_factory=dict)
    labels: Mapping[int, int] = field(default_factory=dict)
    reasons: Mapping[int, str] = field(default_factory=dict)
    median_seconds: ClassVar[float] = MEDIAN_SECONDS

    def answer(self, kind: str) -> bool:
        """Answer one item of a kind of work. Returns False if there is none."""
        duty = self.membership.duty(kind)
        turn_before = self.at.pop(kind, None)
        turn, shown_at = turn_before or (answers.turn(duty), timezone.now())
        while turn.shown is not None:
            item = self.read(turn.shown.id)
            answer = KINDS[kind].simulate(self, item) | {"seconds": self._think(item, shown_at)}
            turn, shown_at = answers.turn(duty, {"item": item.public_id, **answer}), timezone.now()
            if turn.refusal is None:
                self.at[kind] = turn, shown_at
                return True
        return False

    def leave(self, kind: str) -> None:
        """Return the item in progress, if any, to the queue."""
        if self.at.pop(kind, None):
            duty = self.membership.duty(kind)
            queue.release(duty, answers=duty.total)

    def share(self, purpose: str, text: str) -> float:
        return draw(self.seed, purpose, text) / 2**64

    def translation(self, source: str) -> str | None:
        if source not in self.known and self.share("given up", source) < UNTRANSLATABLE:
            return None
        return self._text(source)

    def wording(self, source: str) -> Wording:
        return self.known.get(source) or word_by_word(source, seed=self.seed)

    def label(self, pair: Item) -> int:
        truth = self._truth(pair)
        if self.random.random() >= self.accuracy:
            outcomes = range(len(self.membership.project.scheme.outcomes))
            others = [outcome for outcome in outcomes if outcome != truth]
            truth = others[0] if len(others) == 1 else self.random.choice(others)
        return self._random_label(truth)

    def reason(self, pair: Item, label: int) -> str:
        scheme: Scheme = self.membership.project.scheme
        if pair.pk in self.reasons and scheme.outcome(label) == self._truth(pair):
            return self.reasons[pair.pk]
        return f"A program chose “{scheme.name_of(label)}” and made up this reason."

    def _text(self, source: str) -> str:
        wording = self.wording(source)
        return wording.right if self.random.random() < self.accuracy else wording.slip

    def _truth(self, pair: Item) -> int:
        """The outcome that the pair should have: of its known label, or drawn for its candidate."""
        scheme: Scheme = self.membership.project.scheme
        if pair.gold_label is not None:
            return scheme.outcome(pair.gold_label)
        if pair.pk in self.labels:
            return int(self.labels[pair.pk])
        assert pair.candidate is not None  # noqa: S101 a constraint requires it
        drawn = self.share("truth", pair.candidate.text)
        if scheme.border_place is None:
            return int(drawn * scheme.size)
        return int(drawn < _share_of_paraphrases(pair.candidate))

    def _random_label(self, outcome: int) -> int:
        """The place of a random label with this outcome."""
        scheme = self.membership.project.scheme
        places = [place for place in range(scheme.size) if scheme.outcome(place) == outcome]
        return self.random.randint(places[0], places[-1])

    def _think(self, item: Item, shown_at: datetime) -> float:
        """Return how many seconds the item takes, as if it had been claimed that long ago."""
        seconds = round(self.random.lognormvariate(math.log(self.median_seconds), SPREAD), 1)
        if timezone.now() - shown_at >= timedelta(seconds=seconds):
            return seconds
        slots = Slot.objects.in_progress().filter(item=item, annotator=self.membership.user_id)
        slots.update(claimed_at=timezone.now() - timedelta(seconds=seconds))
        return seconds


class RandomClicker(SimulatedAnnotator):
    """Answers at random."""

    median_seconds = CARELESS_SECONDS

    def label(self, pair: Item) -> int:
        outcomes = len(self.membership.project.scheme.outcomes)
        # Of two outcomes, the second comes first: studies that were simulated before stay the same.
        return self._random_label(outcomes - 1 - int(self.random.random() * outcomes))

    def _text(self, source: str) -> str:
        return careless(source, seed=self.seed)


class AlwaysSame(RandomClicker):
    """Gives every pair the highest label."""

    def label(self, pair: Item) -> int:
        scheme: Scheme = self.membership.project.scheme
        return scheme.size - 1


CARELESS: Mapping[str, type[SimulatedAnnotator]] = {"random": RandomClicker, "same": AlwaysSame}


def _share_of_paraphrases(candidate: Candidate) -> float:
    """Return how probably a candidate is a paraphrase: by its estimate, or by its method."""
    if candidate.paraphrase is not None:
        return candidate.paraphrase
    share_of_intent = PARAPHRASES_OF_INTENT.get(candidate.kind, 0.5)
    return PARAPHRASES.get(Method(candidate.run.method), share_of_intent)


def crowd(
    project: Project,
    *,
    size: int,
    accuracy: float,
    seed: int,
    careless: Mapping[str, int] | None = None,
    known: Mapping[str, Wording] | None = None,
    labels: Mapping[int, int] | None = None,
    reasons: Mapping[int, str] | None = None,
) -> list[SimulatedAnnotator]:
    """Return simulated members of a project; they are created on the first call.

    `size` accurate annotators come first, then the number given for each kind in `careless` (keys
    of CARELESS). `known` has their translations by source, `labels` the true outcomes of pairs by
    key, and `reasons` why they are true.
    """
    published = [dict(compared(project)) for compared in registry.compared_labels]
    kinds, read = [SimulatedAnnotator] * size, lru_cache(REMEMBERED)(_read)
    for kind, number in (careless or {}).items():
        kinds += [CARELESS[kind]] * number
    return [
        kind(
            membership=_member(project, number, seed),
            accuracy=accuracy,
            seed=seed,
            random=Random(draw(seed, "annotator", str(number))),
            read=read,
            known=known or {},
            labels=ChainMap(dict(labels or {}), *published),
            reasons=reasons or {},
        )
        for number, kind in enumerate(kinds, start=1)
    ]


def work(
    people: list[SimulatedAnnotator], *, most: Mapping[str, int | None] | None = None
) -> Iterator[str]:
    """Let all annotators do each kind of work of their project, one answer each per round.

    `most` limits the answers of a kind. Yields the kind of each, so that callers show progress.
    """
    kinds = people[0].membership.project.kinds if people else []
    for kind in kinds:
        yield from islice(answers_of(people, kind), (most or {}).get(kind))
        for person in people:
            person.leave(kind)


def answers_of(people: list[SimulatedAnnotator], kind: str) -> Iterator[str]:
    """One answer each per round, until no one has work.

    An annotator without work is asked again when the others have none: an answer may have opened
    work for them, as when a sentence is given up and someone else has to translate it.
    """
    any_answered = True
    while any_answered:
        any_answered = False
        at_work = deque(people)
        while at_work:
            person = at_work.popleft()
            if person.answer(kind):
                any_answered = True
                at_work.append(person)
                yield kind


def _read(item: UUID) -> Item:
    return Item.objects.select_related(*RELATED).get(public_id=item)


def member(project: Project, number: int) -> Membership:
    """Return a simulated member by number; they are created with the first call."""
    stored = Membership.objects.filter(project=project, user__username=_name(project, number))
    return stored.select_related("project", "user").first() or _member(project, number, seed=0)


def _member(project: Project, number: int, seed: int) -> Membership:
    """A member who has taken all steps that are required before work."""
    member = projects.add_member(project, _account(project, number))
    if not member.is_admitted:
        member.consented_at = member.qualified_at = timezone.now()
        member.save(update_fields=["consented_at", "qualified_at"])
    if asked := questions.to_answer(member):
        _reply(member, asked, number=number, seed=seed)
    return member


def _reply(
    member: Membership, asked: Sequence[AnnotatorQuestion], *, number: int, seed: int
) -> None:
    """Answer questions about annotators as all people of one group do, and allow publication.

    Groups have consecutive numbers, as many as the smallest group that is shown: people who reply
    independently would share their combination of replies with too few others.
    """
    group = (number - 1) // member.project.least_in_group
    choices = {
        question.pk: (draw(seed, "reply", question.title) + group) % len(question.choices)
        for question in asked
    }
    reply(member, choices, publishes=True, version=questions.version_of(asked))


def _name(project: Project, number: int) -> str:
    return f"simulated-{project.pk}-{number:02d}"


def _account(project: Project, number: int) -> User:
    nobody_signs_in = {"is_simulated": True, "password": make_password(None)}
    account, _ = User.objects.get_or_create(
        username=_name(project, number), defaults=nobody_signs_in
    )
    return account
