"""A study in which everything has happened once, and an administrator who looks at it."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from accounts.models import AccessToken, User
from annotation import models
from annotation.services import interventions, invitations, seals
from tests.annotation.filled import filled


@pytest.fixture(scope="module")
def study(module_db, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "RELEASES_DIR", tmp_path_factory.mktemp("releases"))
        study = filled()
        judge, by, pair = study.judges[0], study.corrector.user, study.decided
        of = {"project": study.project}
        Group.objects.create(name="Helpers")
        AccessToken.objects.create(user=by)
        tomorrow = timezone.now() + timedelta(days=1)
        invitations.create(study.project, by=by, expires_at=tomorrow)
        asked = models.QualificationPair.objects.create(
            position=1, sentence1="Ada met Bo.", sentence2="Bo met Ada.", label=1, **of
        )
        attempt = models.QualificationAttempt.objects.create(membership=judge, number=1)
        models.QualificationAnswer.objects.create(attempt=attempt, pair=asked, label=0)
        models.Adjudication.objects.create(pair=pair, by=by, label=0)
        models.Reopening.objects.create(
            pair=pair, number=2, by=by, tally=[3, 2], decided_at=timezone.now()
        )
        guest = models.Guest.objects.create(name="a-model", **of)
        models.GuestJudgment.objects.create(guest=guest, pair=pair, label=1, score=0.9)
        interventions.warn(judge, by=by, reason="Please read slowly.")
        models.Skip.objects.create(annotator=judge.user, pair=study.open, reason="unclear", **of)
        seals.seal_waiting()
        yield study


@pytest.fixture(scope="module")
def root(study):
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client
