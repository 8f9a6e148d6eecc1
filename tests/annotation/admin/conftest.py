"""A study in which everything has happened once, and an administrator who looks at it."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken
from pytest_django import Settings

from accounts.models import User
from annotation.models import (
    QualificationAnswer,
    QualificationAttempt,
    QualificationPair,
    Skip,
)
from annotation.services import interventions, invitations
from tests.annotation.filled import Filled, filled


@pytest.fixture
def study(db: None, settings: Settings, tmp_path: Path) -> Filled:
    settings.RELEASES_DIR = tmp_path / "releases"
    study = filled()
    Group.objects.create(name="Helpers")
    AuthToken.objects.create(user=study.corrector.user)
    bring_in(study)
    interventions.warn(study.judges[0], by=study.corrector.user, reason="Please read slowly.")
    Skip.objects.create(
        project=study.project, annotator=study.judges[0].user, pair=study.open, reason="unclear"
    )
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


@pytest.fixture
def root(client: Client, study: Filled) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client
