"""The steps that come before work, and their order."""

import pytest
from django.utils import timezone

from annotation.errors import Refused
from annotation.models import Membership, Project
from annotation.selectors.admission import Step, step_of
from annotation.services import admission
from tests.annotation import cast


@pytest.fixture
def asking(db: None) -> Project:
    return cast.study(consent="We store your answers.", consent_changed_at=timezone.now())


def reloaded(member: Membership) -> Membership:
    return Membership.objects.select_related("project").get(pk=member.pk)


def test_a_project_that_asks_nothing_admits_at_once(db):
    assert step_of(cast.person(cast.study())) is Step.READY


def test_consent_comes_first(asking):
    asking.asks_qualification = True
    asking.save()
    assert step_of(cast.person(asking)) is Step.CONSENT


def test_who_agrees_is_admitted(asking):
    member = cast.person(asking)
    admission.agree(member, version=admission.version_of(asking.consent))
    assert reloaded(member).is_admitted
    assert step_of(reloaded(member)) is Step.READY


def test_agreeing_twice_keeps_the_first_moment(asking):
    member = cast.person(asking)
    admission.agree(member, version=admission.version_of(asking.consent))
    first = reloaded(member).consented_at
    admission.agree(reloaded(member), version=admission.version_of(asking.consent))
    assert reloaded(member).consented_at == first


def test_a_changed_text_asks_again(asking):
    member = cast.person(asking)
    admission.agree(member, version=admission.version_of(asking.consent))
    Project.objects.update(consent="We keep them longer.", consent_changed_at=timezone.now())
    assert step_of(reloaded(member)) is Step.CONSENT


def test_nobody_agrees_to_a_text_that_they_have_not_read(asking):
    member = cast.person(asking)
    read = admission.version_of(asking.consent)
    Project.objects.update(consent="We keep them longer.", consent_changed_at=timezone.now())
    with pytest.raises(Refused, match="changed while you were reading"):
        admission.agree(member, version=read)
    assert reloaded(member).consented_at is None


def test_the_first_page_is_left_once(asking):
    member = cast.person(asking)
    admission.leave_first_page(member)
    first = reloaded(member).welcomed_at
    admission.leave_first_page(reloaded(member))
    assert first is not None
    assert reloaded(member).welcomed_at == first


def test_who_has_failed_every_attempt_has_failed(db):
    project = cast.study(asks_qualification=True, attempts=1)
    member = cast.person(project)
    assert step_of(member) is Step.QUALIFICATION
    member.attempts.create(number=1, finished_at=timezone.now(), share=0.1, passed=False)
    assert step_of(member) is Step.FAILED
