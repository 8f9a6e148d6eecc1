"""What people or workers do at the same moment, on both engines, and a control for each guard."""

from contextlib import suppress
from datetime import timedelta
from unittest import mock

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.db.models import Count
from django.utils import timezone

from accounts.models import User
from annotation.errors import Refused
from annotation.known_lines import KnownPair
from annotation.models import Intervention, Judgment, Project, QualificationAttempt, Role, Seal
from annotation.selectors import qualification as selectors
from annotation.selectors import seals as chain
from annotation.selectors import standing
from annotation.services import (
    invitations,
    people,
    project_settings,
    qualification,
    quality,
    rounds,
    seals,
)
from tests.annotation import cast, judged
from tests.thorough.races.at_once import at_once, outcome

# Of each race, the transaction that guards it, and what all do together where that is missing.
GUARDS = {
    "join": ((invitations, "join"), (invitations, "_place")),
    "step_down": ((people, "change"), (people, "_other_managers")),
    "save_settings": ((project_settings, "change"), (project_settings, "_moved")),
    "review": ((quality, "_record"), (standing, "of_member")),
    "seal": ((seals, "_append"), (seals, "chain")),
}


def race(name, *, guarded=True):
    """What the database holds after a race, and the errors that were met."""
    work, found = globals()[name](guarded)
    bare, meet_at = (None, None) if guarded else GUARDS[name]
    _, met = at_once(work, bare=bare, meet_at=meet_at)
    return [found(), met]


def join(_):
    """Ten people accept an invitation that is for five, each in two tabs."""
    manager, end = managers(1)[0], timezone.now() + timedelta(hours=1)
    made = {"by": manager.user, "expires_at": end, "most_people": 5}
    invitation, _ = invitations.create(manager.project, **made)
    secret = str(invitation.public_id)
    users = [User.objects.create_user(f"newcomer-{n}") for n in range(10)] * 2
    work = [lambda user=user: bool(invitations.join(secret, user)) for user in users]
    return work, invitation.memberships.count


def managers(number):
    project = cast.study()
    return [cast.person(project, role=Role.MANAGER) for _ in range(number)]


def step_down(_):
    """All managers of a project become annotators."""
    places = managers(8)
    other = {"role": Role.ANNOTATOR, "may_correct": True, "may_judge": True}
    work = [lambda place=place: people.change(place, **other) for place in places]
    return work, places[0].project.memberships.filter(role=Role.MANAGER).count


def save_settings(_):
    """All managers save another pass mark, having seen the same settings."""
    places = managers(8)
    project = places[0].project
    read = project_settings.stamp(project)

    def save(mark, by):
        project_settings.change(project, {"pass_mark": mark}, by=by, read=read)

    work = [lambda n=n, by=place.user: save(50 + n, by) for n, place in enumerate(places)]
    return work, LogEntry.objects.count


def review(_):
    """Workers review a project in which one person disagrees with everybody."""
    project = cast.study(on_flag=Project.OnFlag.PAUSE, judgments_per_pair=20)
    judged.pairs(project, [[0, 0, 1]] * 12, by=judged.people(project, 3))
    work = [lambda: len(quality.review(Project.objects.get()))] * 8
    steps = Intervention.objects.filter
    flags, pauses = steps(kind="flag", evidence__flag="disagrees"), steps(kind="pause")
    return work, lambda: [flags.count(), pauses.count()]


def qualify(_):
    """One person answers the whole set in four tabs, in each alike."""
    member = cast.person(cast.study(asks_qualification=True))
    qualification.add(member.project, [KnownPair(f"{n} a", f"a {n}", 1) for n in range(6)])

    def answer_all():
        with suppress(Refused):  # who begins after the last answer has passed already
            for pair in selectors.remaining(qualification.begin(member)):
                qualification.answer(member, pair=pair.public_id, label=pair.label)

    attempts = QualificationAttempt.objects.values_list("passed", Count("answers"))
    return [answer_all] * 4, lambda: list(map(list, attempts))


def seal(guarded):
    """Workers seal a study, of which the disputed half is reopened while they are guarded."""
    project = cast.study()
    judged.pairs(project, [[1] * 5, [1, 1, 1, 0, 0]] * 20, by=judged.people(project, 5))
    if not guarded:
        kind = "bytea" if connection.vendor == "postgresql" else "blob"
        with connection.cursor() as cursor:  # the table without its constraints
            cursor.execute("DROP TABLE annotation_seal")
            cursor.execute(
                f"CREATE TABLE annotation_seal (number bigint, judgment_id bigint, digest {kind})"
            )
    return [seal_all] * 4 + [lambda: reopen_all(project)] * guarded, sealed


def seal_all():
    """One that found another at it looks again, as the schedule has it."""
    with mock.patch.object(seals, "PAIRS_AT_ONCE", 5):
        while chain.waiting().exists():
            seals.seal_waiting()


def reopen_all(project):
    for pair in project.pairs.order_by("-pk").values_list("public_id", flat=True):
        rounds.reopen(project, [pair], by=project.memberships.earliest("pk").user)


def sealed():
    """How many links are broken, answers sealed twice, and answers of decided pairs not sealed."""
    known = list(Seal.objects.values_list("judgment", flat=True))
    decided = Judgment.objects.filter(pair__consensus__isnull=False, label__isnull=False)
    unsealed = set(decided.values_list("pk", flat=True)) - set(known)
    return [len(list(chain.broken())), len(known) - len(set(known)), len(unsealed)]


KEPT = {
    "join": [5, ["Closed"] * 10],
    "step_down": [1, ["Refused"]],
    "save_settings": [1, ["Stale"] * 7],
    "review": [[1, 1], []],
    "qualify": [[[True, 6]], []],
    "seal": [[0, 0, 0], []],
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_done_at_once_is_done_as_if_one_after_the_other(installation, name):
    assert outcome(installation, race, name=name) == KEPT[name]


@pytest.mark.parametrize("name", GUARDS)
def test_control_without_its_guard_the_promise_breaks(installation, name):
    found, _ = outcome(installation, race, name=name, guarded=False)
    assert found != KEPT[name][0]
