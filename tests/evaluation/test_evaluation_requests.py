"""Requests for evaluations, and the workers that take them."""

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.errors import Refused
from common import leases
from common.outages import Retry
from evaluation import models_by_name, services
from evaluation.models import Evaluation
from evaluation.selectors import companion_of, folders_of
from releases.selectors.releases import folder_of
from releases.services import publication
from tests.evaluation.asking import ASKED, evaluated
from tests.evaluation.small import Memory


def test_what_no_worker_can_do_is_refused_when_it_is_requested(release):
    release.manifest["files"]["labeled_final/dev.tsv"]["rows"] = 0
    with pytest.raises(Refused, match="dev set"):
        services.request(release, by=None, **ASKED)


def test_one_evaluation_of_a_kind_at_a_time_and_again_when_it_is_over(release):
    evaluated(release)
    row = services.request(release, by=None, **ASKED)
    with pytest.raises(Refused, match="already being evaluated"):
        services.request(release, by=None, **ASKED)
    services.cancel(row, by=None)
    assert not services.evaluate_next()
    assert Evaluation.objects.get().results is not None


@pytest.mark.parametrize("change", ["cancel", "withdraw"])
def test_what_is_cancelled_or_withdrawn_meanwhile_leaves_no_tables(
    release, manager, monkeypatch, caplog, change
):
    class Meanwhile(Memory):
        def fit(self, *arguments, **options):
            if change == "cancel":
                services.cancel(Evaluation.objects.get(), by=manager)
            else:
                publication.withdraw(release, by=manager, reason="It was not free.")
            return super().fit(*arguments, **options)

    monkeypatch.setattr(models_by_name, "model", lambda name, **_: Meanwhile())
    services.request(release, by=manager, **ASKED)
    assert not services.evaluate_next()
    assert not companion_of(release).exists()
    assert any(folder.exists() for folder in folders_of(release)) == (change == "cancel")
    assert Evaluation.objects.get().state == {"cancel": "cancelled", "withdraw": "failed"}[change]
    [line] = [each for each in caplog.records if each.name == "common.leases"]
    assert line.levelname == "WARNING"
    assert not line.exc_info


def test_a_changed_file_is_named_until_it_is_written_again(release):
    with (folder_of(release) / "labeled_final/test.tsv").open("a") as file:
        file.write("new\tone\ttwo\t1\n")
    services.request(release, by=None, **ASKED)
    assert not services.evaluate_next()
    row = Evaluation.objects.get()
    assert row.state == Evaluation.State.FAILED
    assert "missing or changed: labeled_final/test.tsv" in row.failure
    call_command("build_release", project=release.project.name, release=release.version)
    evaluated(release)


def test_what_a_dead_worker_had_is_taken_by_the_next_one(release):
    row = services.request(release, by=None, **ASKED)
    state = Evaluation.State.UNDER_WAY
    lapsed = timezone.now() - leases.LEASE
    Evaluation.objects.filter(pk=row.pk).update(state=state, attempts=1, lease_until=lapsed)
    assert services.evaluate_next()
    row.refresh_from_db()
    assert (row.state, row.attempts) == ("done", 2)


def test_a_worker_that_is_stopped_gives_its_evaluation_back_and_uses_up_no_attempt(release):
    row = services.request(release, by=None, **ASKED)
    stopped = Retry()
    stopped.stop.set()
    for _ in range(leases.MAX_ATTEMPTS):
        assert not services.evaluate_next(patience=stopped)
        row.refresh_from_db()
        assert (row.state, row.failure, row.attempts) == ("waiting", "", 0)
    assert services.evaluate_next()
