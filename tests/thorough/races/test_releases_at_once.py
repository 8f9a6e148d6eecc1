"""Releases beside changes whose time decides whether a release has them: one of both waits."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Barrier, Event
from unittest import mock

import pytest
from django.db import connection, connections, transaction

from annotation.agreement import services as agreement
from annotation.model_judgments import services as model_judgments
from annotation.models import JudgingModel, Project
from annotation.pairs.labelled_lines import ModelJudgmentLine
from annotation.projects.services import projects
from annotation.quality.services import interventions
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.services import builds, drafts, frozen, publication
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.thorough.races.at_once import LONG, WAITED_FOR

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
SETTINGS = {"dev": 0, "test": 0, "unlabeled_dev": 0}


@pytest.fixture
def project():
    """A pair judged by five people, and two by five others; on the last one, too few agree."""
    project = make.study()
    first, second = judged.people(project, 5), judged.people(project, 5)
    judged.pairs_of(
        project, [[1] * 5, [1, 1, 1, 1, 0], [1, 1, 1, 0, 0]], by=[first, second, second]
    )
    return project


@contextmanager
def meanwhile(step, *, begins):
    """Another connection does a step once `begins` is set, and keeps its transaction open.

    The transaction ends once the connection of the block waits for it, or with the block.
    """
    done, over = Event(), Event()

    def waited_for():
        with connection.cursor() as cursor:
            return cursor.execute(WAITED_FOR).fetchone()[0]

    def act():
        try:
            assert begins.wait(LONG)
            with transaction.atomic():
                step()
                done.set()
                while not (over.is_set() or waited_for()):
                    time.sleep(0.01)
        finally:
            done.set()
            connections.close_all()

    with ThreadPoolExecutor(1) as elsewhere:
        result = elsewhere.submit(act)
        try:
            yield done
        finally:
            begins.set()
            over.set()
        result.result(LONG)


def released_while_in_progress(step, project, folder):
    """Build a release while a step is in progress that began before; return its files' faults."""
    begins = Event()
    begins.set()
    with meanwhile(step, begins=begins) as done:
        done.wait(LONG)
        release = freeze_version(project, version="1.0", **SETTINGS)
        publication.write_files(release, folder)
    return release, verify(folder)


def released_while_planned(step, project, folder):
    """Build a release; the step begins when its rows are read, and is in progress from then on."""
    begins, plan = Event(), frozen.plan

    def planned(*rows, **settings):
        begins.set()
        done.wait(LONG)
        return plan(*rows, **settings)

    with meanwhile(step, begins=begins) as done, mock.patch.object(frozen, "plan", planned):
        release = freeze_version(project, version="1.0", **SETTINGS)
        publication.write_files(release, folder)
    return release, verify(folder)


def exclude(project):
    interventions.exclude(project.memberships.order_by("pk")[0], by=None, reason="At random.")


def adjudicate(project):
    expert = project.memberships.order_by("pk")[0].user
    agreement.adjudicate(project.pairs.order_by("pk").last(), by=expert, label=1)


def label(project, *, pair=1):
    line = ModelJudgmentLine(1, project.pairs.order_by("pk")[pair].public_id, 1)
    model_judgments.add(project, name="A model", lines=[line])


def remove_labels(project):
    model_judgments.remove(JudgingModel.objects.get(project=project))


def lock_without_trace(project):
    """The control: a lock of which a transaction that has waited for it learns nothing."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def test_a_release_that_waited_for_an_exclusion_has_the_pairs_after_it(project, tmp_path):
    release, faults = released_while_in_progress(partial(exclude, project), project, tmp_path / "a")
    assert (release.examples.filter(pair__isnull=False).count(), faults) == (2, [])
    assert make.judge_all(make.person(project), 0) > 0
    publication.write_files(release, tmp_path / "b")


def test_control_a_release_that_waited_without_being_told_has_answers_of_later_people(
    project, tmp_path
):
    with mock.patch.object(projects, "lock", lock_without_trace):
        step = partial(exclude, project)
        release, _ = released_while_in_progress(step, project, tmp_path / "a")
    assert release.examples.filter(pair__isnull=False).count() == 3
    assert make.judge_all(make.person(project), 0) > 0
    with pytest.raises(KeyError):  # who has no pseudonym in it
        publication.write_files(release, tmp_path / "b")


def test_an_expert_decision_in_progress_is_in_every_build_of_a_release(project, tmp_path):
    step = partial(adjudicate, project)
    release, faults = released_while_in_progress(step, project, tmp_path / "a")
    counts = publication.write_files(release, tmp_path / "b")["counts"]
    assert (counts["adjudications"], faults) == (1, [])


@pytest.mark.parametrize(("step", "labels"), [(label, 2), (remove_labels, 0)])
def test_a_change_of_model_labels_in_progress_is_in_every_build_of_a_release(
    step, labels, project, tmp_path
):
    label(project, pair=0)
    release, faults = released_while_planned(partial(step, project), project, tmp_path / "a")
    counts = publication.write_files(release, tmp_path / "b")["counts"]
    assert sum(model["labels"] for model in counts.get("model_judgments", ())) == labels
    assert faults == []


def built_at_once(rows):
    """Build releases at the same moment; return what came of each, or its error."""
    barrier = Barrier(len(rows))

    def build(release):
        barrier.wait(LONG)
        try:
            builds.build(release)
            return verify(folder_of(release))
        except Exception as error:  # returned, as it is what is tested
            return type(error).__name__
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(rows)) as elsewhere:
        return list(elsewhere.map(build, rows))


def test_two_versions_that_are_built_at_once_have_the_same_pairs(project, settings, tmp_path):
    settings.RELEASES_DIR = tmp_path
    versions = [
        drafts.create_draft(project, version=version, **SETTINGS) for version in ("1.0", "1.1")
    ]
    assert built_at_once(versions) == [[], []]
    pairs = [list(draft.examples.values_list("public_id", "label", "votes")) for draft in versions]
    assert pairs[0] == pairs[1] != []


def test_a_draft_that_two_people_build_at_once_is_built_once(project, settings, tmp_path):
    settings.RELEASES_DIR = tmp_path
    key = drafts.create_draft(project, version="1.0", **SETTINGS).pk
    results = built_at_once([Release.objects.get(pk=key) for _ in range(2)])
    assert sorted(results, key=str) == ["LostRelease", []]


def test_a_version_that_two_people_build_at_once_is_built_once(project, settings, tmp_path):
    settings.RELEASES_DIR = tmp_path
    results = built_at_once([frozen.propose_release(project, version="1.0") for _ in range(2)])
    assert sorted(results, key=str) == ["IntegrityError", []]
