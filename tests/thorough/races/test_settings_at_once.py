"""Managers change the protocol while the first pairs enter: it stays that of all pairs."""

from unittest import mock

from django.core.exceptions import ValidationError

from annotation.models import Project
from annotation.pairs.services import intake
from annotation.projects.labels import GRADES
from annotation.projects.services import projects
from annotation.stats.labels import SAME_OR_DIFFERENT
from generation.models import Batch
from tests.annotation import make
from tests.thorough.races.at_once import at_once, outcome

PROTOCOLS = (
    {"judgments_per_pair": 3, "consensus_min_votes": 2, "scheme": GRADES},
    {"judgments_per_pair": 5, "consensus_min_votes": 4, "scheme": SAME_OR_DIFFERENT},
)
PAIRS, ROUNDS = 60, 5


def by_intake():
    """Three batches are taken in by two workers, after some time without any pair."""
    project, made = make.study(), []
    with mock.patch.object(intake, "take_in"):
        for batch in range(3):
            texts = [(f"Source {batch}-{n}.", f"Rewrite {batch}-{n}.") for n in range(PAIRS)]
            made += make.candidates(project, texts, method="back_translation")
    assert Batch.objects.filter(candidates__in=made).distinct().count() == 3
    return project, [lambda: intake.take_in(project)] * 2


def change_until_refused(project):
    manager = make.person(project, role="manager").user
    for number in range(100_000):
        try:
            projects.change(project, PROTOCOLS[number % 2], by=manager)
        except ValidationError:
            return number
    raise AssertionError("no pair has entered")


def race():
    """Of some rounds, the number of pairs with other slots than the project says, and errors."""
    found = []
    for _ in range(ROUNDS):
        project, work = by_intake()
        _, met = at_once([*work, lambda project=project: change_until_refused(project)])
        found.append([wrong(project), met])
    return found


def stale():
    """The control: whoever creates pairs trusts the project as it was read before a change."""
    project, work = by_intake()
    manager = make.person(project, role="manager").user
    projects.change(project, PROTOCOLS[0], by=manager)
    with mock.patch.object(projects, "with_protocol", return_value=project):
        work[0]()
    return wrong(project) > 0


def wrong(project):
    now = Project.objects.get(pk=project.pk)
    return project.pairs.exclude(slot_count=now.judgments_per_pair).count()


def test_all_pairs_have_as_many_slots_as_the_project_says(installation):
    assert outcome(installation, race) == [[0, []]] * ROUNDS


def test_control_a_project_that_was_read_before_gives_other_slots(installation):
    assert outcome(installation, stale)
