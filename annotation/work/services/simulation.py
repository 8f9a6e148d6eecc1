"""Simulated annotators for trials and load tests; they use the same services as people."""

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from random import Random

from django.utils import timezone

from accounts.models import User
from annotation.models import Correction, Membership, Project, SentencePair
from annotation.projects.services import projects
from annotation.work.services import corrections, judgments
from annotation.work.services.turns import Turn
from common.draws import draw
from generation.models import Candidate, Method

# PAWS Table 3, Wikipedia: 39,903 accepted and 7,387 fixed of 50,000 candidates.
ACCEPTED, FIXED = 0.798, 0.148
# Shares of paraphrases in PAWS Tables 3 and 4: word swaps, back translations.
PARAPHRASES = {Method.WORD_SWAP: 0.121, Method.BACK_TRANSLATION: 0.949}
# "each label only takes about 24 seconds" (PAWS 4); the spread is ours.
MEDIAN_SECONDS, SPREAD = 22.0, 0.4
# Careless annotators are faster, but slower than the default `floor_seconds`.
CARELESS_SECONDS = MEDIAN_SECONDS / 4


@dataclass(slots=True)
class SimulatedAnnotator:
    """Gives the true label of each pair with probability `accuracy`.

    `at` is the turn after the last answer; its pair may no longer be open.
    """

    membership: Membership
    accuracy: float
    seed: int
    random: Random
    at: Turn | None = None

    def correct(self) -> bool:
        """Correct one candidate. Returns False if there is none."""
        correction = corrections.claim(self.membership)
        if correction is None:
            return False
        action, text = self._correction(correction)
        corrections.submit(
            self.membership,
            public_id=correction.public_id,
            action=action,
            text=text,
            seconds=self._seconds(),
        )
        return True

    def judge(self) -> bool:
        """Judge one pair. Returns False if there is none."""
        at = self.at or judgments.turn(self.membership)
        while at.held is not None:
            of_pair = SentencePair.objects.select_related("candidate__run")
            at, refusal = judgments.answer(
                self.membership,
                pair=at.held.public_id,
                label=self._label(of_pair.get(public_id=at.held.public_id)),
                seconds=self._seconds(),
            )
            if refusal is None:
                self.at = at
                return True
        self.at = None
        return False

    def _correction(self, correction: Correction) -> tuple[str, str]:
        candidate = correction.candidate
        drawn = _share(self.seed, "correction", candidate)
        others = [each["text"] for each in candidate.alternatives if each["text"] != candidate.text]
        if drawn < ACCEPTED or (drawn < ACCEPTED + FIXED and not others):
            return Correction.Action.ACCEPT, ""
        if drawn < ACCEPTED + FIXED:
            return Correction.Action.FIX, others[0]
        return Correction.Action.REJECT, ""

    def _label(self, pair: SentencePair) -> int:
        truth = self._truth(pair)
        return self._on_side(truth if self.random.random() < self.accuracy else not truth)

    def _truth(self, pair: SentencePair) -> bool:
        """Whether the pair is a paraphrase: by its known label, or drawn for its candidate."""
        if pair.known_label is not None:
            return pair.known_label >= self.membership.project.paraphrase_from
        candidate = pair.candidate
        share = PARAPHRASES.get(Method(candidate.run.method), 0.5)
        return _share(self.seed, "truth", candidate) < share

    def _on_side(self, same: bool) -> int:
        """A random label on this side of the project's scale."""
        project = self.membership.project
        if same:
            return self.random.randint(project.paraphrase_from, project.max_label)
        return self.random.randint(0, project.paraphrase_from - 1)

    def _seconds(self) -> float:
        return self._about(MEDIAN_SECONDS)

    def _about(self, median: float) -> float:
        return round(self.random.lognormvariate(math.log(median), SPREAD), 1)


class RandomClicker(SimulatedAnnotator):
    """Answers at random."""

    __slots__ = ()

    def _label(self, pair: SentencePair) -> int:
        return self._on_side(self.random.random() < 0.5)

    def _seconds(self) -> float:
        return self._about(CARELESS_SECONDS)


class AlwaysSame(SimulatedAnnotator):
    """Gives every pair the highest label."""

    __slots__ = ()

    def _label(self, pair: SentencePair) -> int:
        return self.membership.project.max_label

    def _seconds(self) -> float:
        return self._about(CARELESS_SECONDS)


CARELESS: Mapping[str, type[SimulatedAnnotator]] = {
    "random": RandomClicker,
    "same": AlwaysSame,
}


def crowd(
    project: Project,
    *,
    size: int,
    accuracy: float,
    seed: int,
    careless: Mapping[str, int] | None = None,
) -> list[SimulatedAnnotator]:
    """Return simulated members of a project; they are created on the first call.

    `size` accurate annotators come first, then the number given for each kind in `careless` (keys
    of CARELESS).
    """
    kinds = [SimulatedAnnotator] * size
    for kind, number in (careless or {}).items():
        kinds += [CARELESS[kind]] * number
    return [
        kind(
            membership=_member(project, number),
            accuracy=accuracy,
            seed=seed,
            random=Random(draw(seed, "annotator", str(number))),
        )
        for number, kind in enumerate(kinds, start=1)
    ]


def work(people: list[SimulatedAnnotator], *, max_corrections: int | None = None) -> Iterator[str]:
    """Let all annotators correct, then judge, one answer each per round, until no work is left.

    Yields "correction" or "judgment" for each answer, so that the caller can show progress.
    """
    answers = _in_turn(people, SimulatedAnnotator.correct)
    yield from ("correction" for _ in islice(answers, max_corrections))
    yield from ("judgment" for _ in _in_turn(people, SimulatedAnnotator.judge))


def _in_turn(
    people: list[SimulatedAnnotator], act: Callable[[SimulatedAnnotator], bool]
) -> Iterator[SimulatedAnnotator]:
    """One answer each per round; an annotator without work drops out."""
    at_work = deque(people)
    while at_work:
        person = at_work.popleft()
        if act(person):
            at_work.append(person)
            yield person


def _member(project: Project, number: int) -> Membership:
    """A member who has taken all steps that are required before work."""
    member = projects.add_member(project, _account(project, number))
    if not member.is_admitted:
        member.consented_at = member.qualified_at = timezone.now()
        member.save(update_fields=["consented_at", "qualified_at"])
    return member


def _account(project: Project, number: int) -> User:
    name = f"simulated-{project.pk}-{number:02d}"
    account, _ = User.objects.get_or_create(username=name, defaults={"is_simulated": True})
    return account


def _share(seed: int, purpose: str, candidate: Candidate) -> float:
    """A number in [0, 1) that depends only on the seed, the purpose and the candidate."""
    return draw(seed, purpose, candidate.text) / 2**64
