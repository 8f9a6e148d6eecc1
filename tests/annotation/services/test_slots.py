"""The queue of corrections when others are quicker: each of them is really somewhere else."""

import pytest

from annotation.models import Correction
from annotation.services import corrections, slots
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = cast.study()
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada."), ("Cy met Di.", "Di met Cy.")])
    return project


def outrun(monkeypatch, other, times):
    """Let another person take a slot so often in the moment in which it has been found."""
    take, left = slots._take, [other] * times

    def late(membership, slot, *rest):
        if left:
            Correction.objects.filter(pk=slot.pk).update(annotator=left.pop().user)
        take(membership, slot, *rest)

    monkeypatch.setattr(slots, "_take", late)


def test_who_was_outrun_looks_again(monkeypatch, project):
    alice, bob = cast.person(project), cast.person(project)
    outrun(monkeypatch, bob, times=1)
    item = corrections.claim(alice)
    assert Correction.objects.get(pk=item.pk).annotator == alice.user


def test_who_is_outrun_again_and_again_is_given_nothing(monkeypatch, project):
    alice, bob = cast.person(project), cast.person(project)
    outrun(monkeypatch, bob, times=slots.CLAIM_TRIES)
    assert corrections.claim(alice) is None
    assert not Correction.objects.filter(annotator=alice.user_id).exists()
