"""manage.py runs."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from generation.models import GenerationRun
from generation.services import runs, worker
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


def told(*arguments: str) -> str:
    output = StringIO()
    call_command("runs", *arguments, stdout=output)
    return output.getvalue()


def test_runs_are_listed_newest_first_with_how_far_they_are() -> None:
    first = fake.run(fake.corpus(12, "One"), fails_on="sentence number 7")
    worker.work_until_idle(first)
    second = runs.start(fake.corpus(30, "Two"), method="word_swap", preview=True)

    newest, oldest = told("list").splitlines()

    assert newest.split()[:2] == [str(second.pk), "running"]
    assert newest.endswith("0 of        30 (0%)  Two  preview")
    assert oldest.endswith("7 of        12 (58%)  One  1 parked")
    assert told("list", "--state", "done") == f"{oldest}\n"
    assert told("list", "--corpus", "None") == "There are no such runs.\n"


def test_a_run_is_shown_with_all_that_repeats_it_and_what_came_of_it() -> None:
    run = fake.run(fake.corpus(12), fails_on="sentence number 7")
    worker.work_until_idle(run)

    shown = told("show", str(run.pk))

    assert str(run.public_id) in shown
    assert "seed 7" in shown
    assert "  fails_on = 'sentence number 7'" in shown
    assert "  model: {'name': 'backwards', 'revision': '1'}" in shown
    assert "7 of 12 sentences done (58%)" in shown
    assert "  accepted: 5\n  too short: 2" in shown
    assert "  Batch 2 (5 sentences): RuntimeError: cannot rewrite" in shown
    assert "To be done now: retry." in shown


def test_a_preview_is_shown_with_its_candidates() -> None:
    run = runs.start(fake.corpus(30), method="word_swap", preview=True)
    worker.work_until_idle(run)

    shown = told("show", str(run.public_id))

    assert "- w0\n    gave nothing\n- sentence number 1\n  1 number sentence\n" in shown
    assert "To be done now: approve, pause, cancel." in shown


def test_a_run_over_pairs_names_the_runs_that_made_them(of_pairs: None) -> None:
    swapped = fake.run(fake.corpus(3))
    worker.work_until_idle(swapped)
    first = swapped.candidate_set.select_related("sentence").earliest("pk")
    fake.correct((first, "A corrected sentence."))

    run = runs.start(swapped.corpus, method="back_translation", pairs_of=[swapped])

    assert f"of each pair of the runs {swapped.pk}." in told("show", str(run.pk))


def test_runs_are_steered() -> None:
    one, two = fake.run(fake.corpus(3, "One")), fake.run(fake.corpus(3, "Two"))

    assert told("pause", str(one.pk), str(two.pk)).count(", paused.") == 2
    assert told("resume", str(one.public_id)).endswith(", running.\n")
    assert told("cancel", str(one.pk)).endswith(", cancelled.\n")

    states = dict(GenerationRun.objects.values_list("pk", "state"))
    assert states == {one.pk: "cancelled", two.pk: "paused"}


def test_what_cannot_be_done_is_said() -> None:
    run = fake.run(fake.corpus(3))

    with pytest.raises(CommandError, match=f"Run {run.pk}: The run is running"):
        told("resume", str(run.pk))


@pytest.mark.parametrize("name", ["0", "none", "00000000-0000-4000-8000-000000000000"])
def test_a_run_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(CommandError, match=f"no run {name}"):
        told("show", name)
