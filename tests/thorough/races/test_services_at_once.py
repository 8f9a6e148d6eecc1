"""What people or workers do at the same moment, on both engines, and a control for each guard."""

from contextlib import nullcontext
from datetime import timedelta
from io import StringIO
from pathlib import Path
from unittest import mock
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import limits
from accounts.audited_acts import Act
from accounts.models import AuditEntry, SignInTries, User
from annotation.agreement import services as agreement
from annotation.crowd import selectors as crowd_selectors
from annotation.crowd import services as crowd
from annotation.crowd.arrival import Arrival
from annotation.models import (
    Intervention,
    Judgment,
    Membership,
    ParticipantBrowser,
    Role,
    Seal,
    Slot,
)
from annotation.people.services import invitations, members
from annotation.quality.services import interventions, reissue
from annotation.seals import selectors as chain
from annotation.seals import services as seals
from annotation.translations.services import delivery
from common.leases import Work
from generation.models import Candidate, Corpus, Sentence
from generation.readers import Row
from generation.services import imported_pairs
from generation.services.sentences import import_sentences
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.services import drafts
from releases.services.builds import BUILDS
from tests.annotation import invariants, judged, make, translating
from tests.annotation.careless import LOOSE
from tests.thorough.races.at_once import FORK, LONG, at_once, outcome
from tests.thorough.races.test_reissue_at_once import PAIRS, prepared

# Of each race, the transaction that guards it, and what all do together where that is missing.
GUARDS = {
    "join": ((invitations, "join"), (Membership.objects, "get_or_create")),
    "arrive": ((crowd, "_join"), (crowd_selectors, "state_of")),
    "step_down": ((members, "change"), (members, "require_manager")),
    "seal": ((seals, "_append_seals"), (seals, "chain")),
    "import_pairs": ((imported_pairs._Import, "add"), (imported_pairs, "store_sources")),
    # The guard is one statement, for which the race itself has another.
    "build": (None, None),
    "guess": (None, None),
    "reissues": ((interventions, "exclude"), (interventions.exclusion, "recount")),
    "deliveries": ((delivery, "deliver"), (delivery.figures, "read")),
    "ids_of_a_browser": ((crowd, "_join"), (crowd_selectors, "other_in_browser")),
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


def arrive(_):
    """A platform sends ten people to a link that is for five, each in two browsers."""
    link = recruiting_link()
    ids = [f"person{n}" for n in range(10)] * 2
    arrivals = [Arrival(str(link.public_id), each, "", "") for each in ids]
    work = [
        lambda arrival=arrival: bool(crowd.join(arrival, user=None, knows=lambda _: False))
        for arrival in arrivals
    ]
    accounts = User.objects.filter(username__startswith="participant-")
    return work, lambda: [link.participants.count(), accounts.count()]


def recruiting_link():
    """For five people."""
    manager, end = managers(1)[0], timezone.now() + timedelta(hours=1)
    offer = {"platform": "prolific", "kinds": ["judge"], "most_people": 5, "expires_at": end}
    return crowd.create(manager.project, by=manager.user, **offer)[0]


def managers(number):
    project = make.study()
    return [make.person(project, role=Role.MANAGER) for _ in range(number)]


def step_down(_):
    """All managers of a project become annotators."""
    places = managers(8)
    other = {"role": Role.ANNOTATOR, "kinds": ["correct", "judge"]}
    work = [lambda place=place: members.change(place, **other) for place in places]
    return work, places[0].project.memberships.filter(role=Role.MANAGER).count


def seal(guarded):
    """Workers seal a study, of which the disputed half is reopened while they are guarded."""
    project = make.study()
    judged.pairs(project, [[1] * 5, [1, 1, 1, 0, 0]] * 20, by=judged.people(project, 5))
    make.spare(project)
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
        while chain.waiting_consensus().exists():
            seals.seal_waiting()


def reopen_all(project):
    for pair in project.pairs.order_by("-pk").values_list("public_id", flat=True):
        agreement.reopen(project, [pair], by=project.memberships.earliest("pk").user)


def sealed():
    """How many links are broken, answers sealed twice, and answers of decided pairs not sealed."""
    known = list(Seal.objects.values_list("judgment", flat=True))
    decided = Judgment.objects.filter(item__consensus__isnull=False, submitted_at__isnull=False)
    unsealed = set(decided.values_list("pk", flat=True)) - set(known)
    return [len(list(chain.broken_links())), len(known) - len(set(known)), len(unsealed)]


def import_pairs(_):
    """Two imports of a file of thirty pairs and a bad line; half of the sentences are there."""
    project = make.study()
    corpus = Corpus.objects.create(name=project.name)
    import_sentences([Row(n, f"Source {n}.") for n in range(0, 30, 2)], corpus=corpus)
    lines = [f"Source {n}.\tRewrite {n}.\tback_translation" for n in range(30)]
    file = Path(settings.DATA_DIR, "pairs.tsv")
    file.write_text("\n".join(["sentence1\tsentence2\tmethod", *lines, "bad"]) + "\n")

    def import_all():
        with mock.patch("generation.services.imported_pairs.LINES_AT_ONCE", 10):
            call_command("import_pairs", str(file), project=project.name, stdout=StringIO())

    texts = project.pairs.values_list("sentence1__text", "sentence2__text")
    counted = (Sentence.objects.filter(candidate=None), Candidate.objects, texts.distinct(), texts)
    return [import_all] * 2, lambda: [each.count() for each in counted]


def build(guarded):
    """Four workers have seen the same release wait; each builds it if its claim succeeds."""
    project = make.study()
    judged.pairs(project, [[1] * 5] * 20, by=judged.people(project, 5))
    release = drafts.create_draft(project, version="1.0", dev=0, test=0)
    drafts.queue_draft(release)
    seen, claims = [Release.objects.get()], FORK.Value("i", 0)

    def take(row, **columns):  # without comparing
        return bool(Release.objects.filter(pk=row.pk).update(**columns))

    def claim_and_build():
        taking = mock.patch("common.leases.update_as_read", take)
        reading = mock.patch.object(Work, "pending", return_value=seen)
        with reading, nullcontext() if guarded else taking:
            if claimed := BUILDS.claim():
                with claims:
                    claims.value += 1
                BUILDS.attempt(claimed)

    def found():
        release.refresh_from_db()
        return [claims.value, release.state == "frozen" and verify(folder_of(release))]

    return [claim_and_build] * 4, found


def guess(guarded):
    """Processes guess a password twice; unguarded, all look at the tries before any counts one."""
    User.objects.create_user("ada", password="secret")
    processes = 40 if guarded else 16
    looked, guesses = FORK.Barrier(processes), FORK.Value("i", 0)
    reserve, encode = limits._reserve, MD5PasswordHasher.encode

    def look_then_reserve(asked):
        found = list(SignInTries.objects.filter(pk__in=asked))
        looked.wait(LONG)
        reserve(asked)
        return found

    def count(*given):
        with guesses:
            guesses.value += 1
        return encode(*given)

    def guess_twice():
        looking = mock.patch.object(limits, "_reserve", reserve if guarded else look_then_reserve)
        with looking, mock.patch.object(MD5PasswordHasher, "encode", count):
            for _ in range(2):
                wrong = {"login": "ada", "password": "wrong"}
                Client(SERVER_NAME="localhost").post("/accounts/login/", wrong)

    return [guess_twice] * processes, lambda: guesses.value


def reissues(guarded):
    """Two managers carry out the same plan, in a transaction only while they are guarded."""
    project, *_ = prepared()
    plan = reissue.plan(project, **LOOSE)
    excluded = Intervention.objects.filter(kind="exclude")
    reserved = Slot.objects.filter(reserved=True)
    counts = (excluded.count, reserved.count)
    carry_out = reissue.carry_out if guarded else reissue.carry_out.__wrapped__
    work = [lambda: carry_out(plan, None)] * 2
    return work, lambda: [*(count() for count in counts), invariants.broken(project)]


def deliveries(_):
    """Two managers deliver the same study."""
    project = translating.study(people=3)
    translating.translate_all(project)
    translating.validate_all(project)
    delivered = Corpus.objects.filter(name__startswith=project.name)
    sentences = Sentence.objects.filter(corpus__in=delivered)
    acts = AuditEntry.objects.filter(act=Act.TRANSLATIONS_DELIVERED)
    work = [lambda: bool(delivery.deliver(project))] * 2
    return work, lambda: [delivered.count(), sentences.count(), acts.count()]


def ids_of_a_browser(_):
    """Two ids of a platform take part in two tabs of a browser."""
    link, browser = recruiting_link(), uuid4()
    arrivals = [Arrival(str(link.public_id), f"person{n}", "", "") for n in range(2)]
    work = [
        lambda arrival=arrival: bool(
            crowd.join(arrival, user=None, knows=lambda _: False, browser=browser)
        )
        for arrival in arrivals
    ]
    flags = Intervention.objects.filter(kind="flag")
    counts = (link.participants.count, ParticipantBrowser.objects.count, flags.count)
    return work, lambda: [count() for count in counts]


KEPT = {
    "join": [5, ["Closed"] * 10],
    "arrive": [[5, 5], ["Closed"] * 10 + ["NotProven"] * 5],
    "step_down": [1, ["Refused"]],
    "seal": [[0, 0, 0], []],
    "import_pairs": [[30, 30, 30, 30], []],
    "build": [[1, []], []],
    "guess": [10, []],
    "reissues": [[1, PAIRS, []], ["Changed"]],
    "deliveries": [[1, 4, 1], []],
    "ids_of_a_browser": [[1, 1, 1], ["BrowserTaken"]],
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_done_at_once_is_done_as_if_one_after_the_other(installation, name):
    assert outcome(installation, race, name=name) == KEPT[name]


@pytest.mark.parametrize("name", GUARDS)
def test_control_without_its_guard_the_promise_breaks(installation, name):
    found, met = outcome(installation, race, name=name, guarded=False)
    assert found != KEPT[name][0] or "IntegrityError" in met
