"""Workers look after the quality of answers, now and then and only where there is something new."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation import tasks
from annotation.management.commands import worker
from annotation.models import Intervention
from annotation.services import quality
from config.celery import REVIEW_SECONDS, app
from tests.annotation import cast


@pytest.fixture
def looked(monkeypatch):
    """Since when each review looked."""
    calls = []
    monkeypatch.setattr(quality, "review_all", lambda *, since=None: calls.append(since))
    return calls


def test_at_first_everybody_is_looked_at_and_then_whoever_has_answered_since(looked, monkeypatch):
    start, reviewer = timezone.now(), worker._Reviewer()
    for seconds in (0, 5, 25, 30, 50):
        moment = start + timedelta(seconds=seconds)
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        reviewer.review_when_due()
    assert looked == [None, start, start + timedelta(seconds=25)]


def test_the_task_looks_twice_as_far_back_as_it_is_often(looked):
    entry = app.conf.beat_schedule["review"]
    assert entry["task"] == tasks.review_quality.name
    before = timezone.now()
    tasks.review_quality(*entry["args"])
    assert before - timedelta(seconds=2 * REVIEW_SECONDS) <= looked[0] < before


@pytest.mark.django_db
def test_the_task_flags(monkeypatch):
    project = cast.study()
    cast.pairs(project, 12)
    for label in (0, 0, 1):
        cast.judge_all(cast.person(project), label)
    tasks.review_quality(60.0)
    assert Intervention.objects.filter(kind="flag").exists()
