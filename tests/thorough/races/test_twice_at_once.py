"""Things that may happen once are requested twice at the same moment; a control for each guard."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.audited_acts import Act
from accounts.models import AuditEntry
from annotation.crowd import selectors as crowd_selectors
from annotation.crowd import services as crowd
from annotation.crowd.arrival import Arrival
from annotation.models import Intervention, ParticipantBrowser, Role, Slot
from annotation.quality.services import interventions, reissue
from annotation.translations.services import delivery
from generation.models import Corpus, Sentence
from tests.annotation import invariants, make, translating
from tests.annotation.careless import LOOSE
from tests.thorough.races.at_once import at_once, outcome
from tests.thorough.races.test_reissue_at_once import PAIRS, prepared

# Of each race, the transaction that guards it, and what both do together where that is missing.
GUARDS = {
    "reissues": ((interventions, "exclude"), (interventions.exclusion, "recount")),
    "deliveries": ((delivery, "deliver"), (delivery.figures, "read")),
    "ids_of_a_browser": ((crowd, "_join"), (crowd_selectors, "other_in_browser")),
}
KEPT = {
    "reissues": [[1, PAIRS, []], ["Changed"]],
    "deliveries": [[1, 4, 1], []],
    "ids_of_a_browser": [[1, 1, 1], ["BrowserTaken"]],
}


def race(name, *, guarded=True):
    """What the database holds after a race, and the errors that were met."""
    work, state = globals()[name](guarded)
    bare, meet_at = (None, None) if guarded else GUARDS[name]
    _, met = at_once(work, bare=bare, meet_at=meet_at)
    return [state(), met]


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
    manager = make.person(make.study(), role=Role.MANAGER)
    offer = {"platform": "prolific", "kinds": ["judge"], "most_people": 5}
    end = timezone.now() + timedelta(hours=1)
    link, _ = crowd.create(manager.project, by=manager.user, expires_at=end, **offer)
    browser = uuid4()
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


@pytest.mark.parametrize("name", KEPT)
def test_two_requests_at_once_have_one_effect(installation, name):
    assert outcome(installation, race, name=name) == KEPT[name]


@pytest.mark.parametrize("name", GUARDS)
def test_control_without_its_guard_both_have_an_effect(installation, name):
    state, _ = outcome(installation, race, name=name, guarded=False)
    assert state != KEPT[name][0]
