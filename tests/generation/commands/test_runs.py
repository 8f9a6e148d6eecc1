"""manage.py runs."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from generation.models import GenerationRun
from generation.services import runs, worker
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


def printed(*arguments):
    output = StringIO()
    call_command("runs", *map(str, arguments), stdout=output)
    return output.getvalue()


def test_runs_are_listed_and_shown_with_all_that_repeats_them_and_what_came_of_them(of_pairs):
    first = fake.run(fake.corpus(12, "One"), fails_on="sentence number 7")
    worker.work_until_idle(first)
    second = runs.start(fake.corpus(30, "Two"), method="word_swap", preview=True)
    newest, oldest = printed("list").splitlines()
    assert newest.split()[:2] == [str(second.pk), "running"]
    assert newest.endswith("0 of        30 (0%)  Two  preview")
    assert oldest.endswith("7 of        12 (58%)  One  1 parked")
    assert printed("list", "--state", "done") == f"{oldest}\n"
    assert printed("list", "--corpus", "None") == "There are no such runs.\n"
    candidate = first.candidate_set.select_related("sentence").earliest("pk")
    fake.correct((candidate, "A corrected sentence."))
    pairs = runs.start(first.corpus, method="back_translation", pairs_of=[first])
    worker.work_until_idle(second)
    for run, *parts in [
        (first, str(first.public_id), "seed 7", "  fails_on = 'sentence number 7'"),
        (first, "  model: {'name': 'backwards', 'revision': '1'}"),
        (first, "7 of 12 sentences done (58%)", "  accepted: 5\n  too short: 2"),
        (first, "  Batch 2 (5 sentences): RuntimeError: cannot rewrite", "To be done now: retry."),
        (second, "- w0\n    gave nothing\n- sentence number 1\n  1 number sentence\n"),
        (second, "To be done now: approve, pause, cancel."),
        (pairs, f"of each pair of the runs {first.pk}."),
    ]:
        shown = printed("show", run.public_id)
        assert [part for part in parts if part not in shown] == []


def test_runs_are_steered_and_a_refusal_is_an_error():
    one, two = fake.run(fake.corpus(3, "One")), fake.run(fake.corpus(3, "Two"))
    assert printed("pause", one.pk, two.pk).count(", paused.") == 2
    assert printed("resume", one.public_id).endswith(", running.\n")
    with pytest.raises(CommandError, match=f"Run {one.pk}: The run is running"):
        printed("resume", one.pk)
    assert printed("cancel", one.pk).endswith(", cancelled.\n")
    states = dict(GenerationRun.objects.values_list("pk", "state"))
    assert states == {one.pk: "cancelled", two.pk: "paused"}
    for name in ("0", "none", "00000000-0000-4000-8000-000000000000"):
        with pytest.raises(CommandError, match=f"no run {name}"):
            printed("show", name)
