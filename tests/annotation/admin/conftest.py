"""A study in which everything has happened once, and an administrator who looks at it."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import AccessToken, User
from annotation.models import (
    Adjudication,
    Guest,
    GuestJudgment,
    QualificationAnswer,
    QualificationAttempt,
    QualificationPair,
    Reopening,
    Skip,
)
from annotation.services import interventions, invitations, seals
from tests.annotation.filled import Filled, filled


@pytest.fixture
def study(db: None, settings: Settings, tmp_path: Path) -> Filled:
    settings.RELEASES_DIR = tmp_path / "releases"
    study = filled()
    Group.objects.create(name="Helpers")
    AccessToken.objects.create(user=study.corrector.user)
    bring_in(study)
    disagree(study)
    interventions.warn(study.judges[0], by=study.corrector.user, reason="Please read slowly.")
    Skip.objects.create(
        project=study.project, annotator=study.judges[0].user, pair=study.open, reason="unclear"
    )
    seals.seal_waiting()
    return study


def bring_in(study: Filled) -> None:
    """An invitation, and a try at the qualification set."""
    tomorrow = timezone.now() + timedelta(days=1)
    invitations.create(study.project, by=study.corrector.user, expires_at=tomorrow)
    pair = QualificationPair.objects.create(
        project=study.project, position=1, sentence1="Ada met Bo.", sentence2="Bo met Ada.", label=1
    )
    attempt = QualificationAttempt.objects.create(membership=study.judges[0], number=1)
    QualificationAnswer.objects.create(attempt=attempt, pair=pair, label=0)


def disagree(study: Filled) -> None:
    """An expert, a second round and a model that have something to say of the decided pair."""
    by, pair = study.corrector.user, study.decided
    Adjudication.objects.create(pair=pair, by=by, label=0)
    Reopening.objects.create(pair=pair, number=2, by=by, tally=[3, 2], decided_at=timezone.now())
    guest = Guest.objects.create(project=study.project, name="a-model")
    GuestJudgment.objects.create(guest=guest, pair=pair, label=1, score=0.9)


@pytest.fixture
def root(client: Client, study: Filled) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client
