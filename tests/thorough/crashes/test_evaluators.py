"""Evaluators that die, hang or meet each other, and releases withdrawn in the middle of a fit."""

import os
import signal
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
from django.conf import settings
from django.core.management import call_command

from common.leases import Work
from evaluation import selectors, services
from evaluation.experiments import fits
from evaluation.models import Evaluation
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.services import drafts, publication
from releases.services.builds import BUILDS
from tests.annotation import judged, make
from tests.annotation.pages import page, signed_in
from tests.thorough.races.at_once import LONG, outcome

MODEL, SEEDS, STEPS = "bow", 4, services.STEPS
TWO_FITS_AND_A_PART = 2 * STEPS + 1


@pytest.fixture
def asked(installation):
    """An installation where the evaluation of a release waits for a worker."""
    outcome(installation, ask)
    return installation


def ask():
    project = make.study()
    make.person(project, role="manager")
    judged.pairs(project, [[1] * 5, [0] * 5] * 100, by=judged.people(project, 5))
    draft = drafts.create_draft(project, version="1.0", dev=50, test=50, unlabeled_dev=0)
    drafts.queue_draft(draft)
    assert BUILDS.do_next()
    release = Release.objects.get()
    services.request(release, experiment="plain", model_names=[MODEL], seeds=SEEDS, by=None)


def worker(place, **options):
    """Start the command, with the priority of the tests, which a busy machine would not let end."""
    return place.start("shell", "-c", f"from {__name__} import work; work(**{options})")


def work(*, slow=False, meets=0, compares=True):
    """Work as the command does. A slow worker's fits take seconds longer, and are then half done.

    With `meets`, as many workers find the row before one of them takes it.
    """
    with ExitStack() as stack:
        stack.enter_context(mock.patch("operations.management.commands.worker.give_way"))
        if slow:
            stack.enter_context(mock.patch.object(fits, "_run_fit", slowly(fits._run_fit)))
        if meets:
            work = services.EVALUATIONS
            stack.enter_context(mock.patch.object(Work, "pending", met(meets, Work.pending)))
            noting = replace(work, act=noted(work.act))
            stack.enter_context(mock.patch.object(services, "EVALUATIONS", noting))
        if not compares:
            stack.enter_context(mock.patch("common.leases.update_as_read", take))
        call_command("worker", "--evaluations")


def slowly(fitted):
    def fit_slowly(fit, model, tell):
        for hundredth in range(STEPS // 2):
            tell(hundredth, STEPS)
            time.sleep(0.04)
        return fitted(fit, model, tell)

    return fit_slowly


def met(others, select):
    """Select evaluations as usual, but wait with the first until others have read it as well."""

    def pending(work, now):
        if rows := list(select(work, now)):
            note("found")
            while len(notes("found")) < others:
                time.sleep(0.01)
        return rows

    return pending


def noted(act):
    def act_and_note(row, progress, **options):
        note("begun")
        return act(row, progress, **options)

    return act_and_note


def note(what):
    Path(settings.DATA_DIR, f"{what}-{os.getpid()}").touch()


def notes(what):
    return list(Path(settings.DATA_DIR).glob(f"{what}-*"))


def take(row, **columns):
    """As `leases.update_as_read`, without comparing."""
    return bool(type(row).objects.filter(pk=row.pk).update(**columns))


def reached(*, state="under_way", done=0):
    """Wait until the evaluation is in a state and has done this much; return what there is then."""
    wait_for(lambda row: row.state == state and row.done >= done)
    return found()


def wait_for(is_so):
    """Wait until something is so of the evaluation. Raises TimeoutError."""
    over = time.monotonic() + 4 * LONG
    while not is_so(row := Evaluation.objects.get()):
        if time.monotonic() > over:
            raise TimeoutError(f"The evaluation is {row.state} after {row.done} steps.")
        time.sleep(0.05)


def found():
    """What the database, the folders and the page of the release say."""
    row, release = Evaluation.objects.get(), Release.objects.get()
    folder = selectors.companion_of(release)
    manager = release.project.memberships.get(role="manager").user
    address = page("evaluation", release.project, release.public_id)
    return {
        "state": row.state,
        "attempts": row.attempts,
        "failure": row.failure,
        "lease_until": row.lease_until and row.lease_until.timestamp(),
        "started_at": row.started_at and row.started_at.timestamp(),
        "parts": {
            path.name: path.stat().st_mtime_ns
            for path in folder.with_name(f"{folder.name}.parts").glob("*")
        },
        "folders": sorted(path.name for path in folder.parent.glob("*") if path.is_dir()),
        "page": signed_in(manager).get(address, SERVER_NAME="localhost").text,
        "release": str(folder_of(release)),
        "faults": [str(fault) for fault in verify(folder_of(release))],
    }


def is_as_undisturbed(place, release):
    """Whether the folder of an evaluation is what an undisturbed command writes."""
    folder, other = Path(release).parent / "evaluations/1.0", place.data_dir / "undisturbed"
    given = ("--models", MODEL, "--seeds", str(SEEDS), "--out", str(other))
    place.manage("evaluate", release, *given)
    one, undisturbed = (
        {str(path.relative_to(of)): path.read_bytes() for path in of.rglob("*") if path.is_file()}
        for of in (folder, other)
    )
    return one == undisturbed and len(one) > SEEDS


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_another_worker_finishes_what_one_that_died_or_hung_began(asked, how):
    first = worker(asked, slow=True)
    outcome(asked, reached, done=TWO_FITS_AND_A_PART)
    first.send_signal(how)
    left = outcome(asked, found)
    assert (left["state"], left["attempts"], left["folders"]) == ("under_way", 1, ["1.0.parts"])
    assert "Models are being trained." in left["page"]
    assert 2 <= len(left["parts"]) < SEEDS

    worker(asked)
    after = outcome(asked, reached, state="done")
    assert (after["attempts"], after["faults"]) == (2, [])
    assert after["started_at"] > left["lease_until"]
    assert after["folders"] == ["1.0", "1.0.parts"]
    assert after["parts"].items() > left["parts"].items()
    assert len(after["parts"]) == SEEDS
    assert "Models are being trained." not in after["page"]
    assert is_as_undisturbed(asked, after["release"])

    if how == signal.SIGSTOP:
        first.send_signal(signal.SIGTERM)
        first.send_signal(signal.SIGCONT)
        assert first.wait(4 * LONG) == 0
        # Each page has a token of its own.
        assert outcome(asked, found) | {"page": ""} == after | {"page": ""}


def met_over_one_row(place, **options):
    """How often two workers who have found the same evaluation make it."""
    for _ in range(2):
        worker(place, meets=2, **options)
    outcome(place, reached, state="done")
    return len(list(place.data_dir.glob("begun-*")))


def test_two_workers_make_one_evaluation_once(asked):
    assert met_over_one_row(asked) == 1
    assert outcome(asked, found)["attempts"] == 1


def test_control_without_comparing_both_make_it(asked):
    assert met_over_one_row(asked, compares=False) == 2


def test_an_evaluation_whose_release_is_withdrawn_ends_and_leaves_no_tables(asked):
    worker(asked, slow=True)
    outcome(asked, reached, done=TWO_FITS_AND_A_PART)
    outcome(asked, withdraw)
    assert outcome(asked, ended) == ["failed", "The release was withdrawn.", False]


def withdraw():
    release = Release.objects.get()
    publication.withdraw(release, by=None, reason="It was not free.")


def ended():
    wait_for(lambda row: row.state == Evaluation.State.FAILED)
    row = Evaluation.objects.get()
    return [row.state, row.failure, selectors.companion_of(row.release).exists()]
