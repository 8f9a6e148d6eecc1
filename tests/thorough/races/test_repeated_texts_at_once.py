"""The same texts come by several ways at the same time: they become one pair."""

from unittest import mock

from django.db.models import Count

from annotation.models import Item
from annotation.pairs.services import intake, pairs
from tests.annotation import make
from tests.thorough.races.at_once import at_once, outcome

PEOPLE, TEXTS, ROUNDS = 4, 12, 4


def ways():
    """Four people fix candidates to the same texts, and two workers take in pairs of them."""
    project = make.study()
    sources = [f"Ada met {n}." for n in range(TEXTS)]
    for person in range(PEOPLE):
        make.candidates(project, [(source, f"{source} So {person}.") for source in sources])
    with mock.patch.object(intake, "take_in"):
        for _ in range(2):
            texts = [(source, f"Met: {source}") for source in sources]
            make.candidates(project, texts, method="back_translation")
    people = [make.person(project) for _ in range(PEOPLE)]
    work = [lambda each=each: fix_all(each) for each in people]
    return project, [*work, *[lambda: intake.take_in(project)] * 2]


def fix_all(person):
    while slot := make.claim(person, "correct"):
        source = slot.item.candidate.sentence.text
        make.submit(person, item=slot.item.public_id, action="fix", text=f"Met: {source}")


def race():
    """The number of pairs for each text, and errors, of some rounds."""
    found = []
    for _ in range(ROUNDS):
        project, work = ways()
        _, met = at_once(work)
        found.append([repeated(project), len(project.pairs.all()), met])
    return found


def unaware():
    """The control: nobody looks whether the texts are there already."""
    project, work = ways()
    with mock.patch.object(pairs, "originals", lambda *given: [None] * len(given[2])):
        _, met = at_once(work)
    return [repeated(project), bool(met)]


def repeated(project):
    """The number of texts of which people judge several pairs."""
    judged = Item.objects.filter(project=project, kind="judge", duplicate_of=None)
    return judged.values("texts_key").annotate(n=Count("pk")).filter(n__gt=1).count()


def test_texts_that_come_at_the_same_time_are_one_pair(installation):
    assert outcome(installation, race) == [[0, TEXTS, []]] * ROUNDS


def test_control_without_looking_the_constraint_refuses_them(installation):
    assert outcome(installation, unaware) == [0, True]
