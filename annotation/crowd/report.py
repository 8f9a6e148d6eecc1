"""What recruited people did, took and earned."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Sum

from annotation.models import Participant, Project, Slot


@dataclass(frozen=True, slots=True)
class Line:
    """A participant with their answers and measured time, and their pay."""

    participant: Participant
    answers: Counter[str]  # by kind of work
    seconds: float

    @property
    def minutes(self) -> float:
        return self.seconds / 60

    @property
    def answers_per_hour(self) -> float | None:
        return 3600 * self.answers.total() / self.seconds if self.seconds else None

    @property
    def reward(self) -> Decimal | None:
        """What the person is paid; None for those who have not completed the study."""
        completed = self.participant.outcome == Participant.Outcome.COMPLETED
        return self.participant.recruitment.reward if completed else None

    @property
    def pay_per_hour(self) -> float | None:
        if self.reward is None or not self.seconds:
            return None
        return 3600 * float(self.reward) / self.seconds


def report(project: Project) -> list[Line]:
    """Return all participants, newest first, in two queries."""
    related = ("recruitment", "membership__user", "same_browser_as__membership__user")
    people = project.participants.select_related(*related).order_by("-pk")
    answers_given = Slot.objects.answered().filter(project=project).order_by()
    groups = answers_given.values_list("annotator", "kind").annotate(Count("pk"), Sum("seconds"))
    answers, seconds = defaultdict[int, Counter[str]](Counter), Counter[int]()
    for account, kind, number, spent in groups:
        answers[account][kind] = number
        seconds[account] += spent or 0
    accounts = ((person, person.membership.user_id) for person in people)
    return [Line(person, answers[account], seconds[account]) for person, account in accounts]
