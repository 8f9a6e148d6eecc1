"""manage.py generate."""

import argparse
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.management.commands.generate import setting
from annotation.models import Correction
from annotation.services import intake
from generation.models import GenerationRun
from generation.services import runs, worker
from tests.annotation import cast
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


def generate(*options: str) -> str:
    output = StringIO()
    call_command("generate", *options, stdout=output)
    return output.getvalue()


def generate_in(size: int, *options: str) -> str:
    """Generate over a new corpus of this size for a new project."""
    return generate("--corpus", fake.corpus(size).name, "--project", cast.study().name, *options)


def interrupt(*_: Any) -> Any:
    raise KeyboardInterrupt


def test_with_wait_the_candidates_are_made_and_queue_for_correction() -> None:
    printed = generate_in(12, "--wait")

    assert GenerationRun.objects.get().state == "done"
    assert Correction.objects.count() == 10
    assert "  accepted: 10\n  too short: 2\n12 of 12 sentences done (100%)" in printed


def test_who_gets_no_candidate_is_told_where_the_reasons_are_explained() -> None:
    printed = generate_in(1, "--wait")

    assert "  too short: 1\nNo candidate came of these sentences" in printed
    assert "docs/word_swap.md\n1 of 1 sentences done (100%)" in printed


def test_without_wait_the_worker_finds_the_run_and_its_candidates() -> None:
    printed = generate_in(12)

    assert "12 sentences" in printed
    worker.work_until_idle()
    assert intake.take_in_all() == 10


def test_seed_and_settings_are_kept_with_the_run() -> None:
    generate_in(1, "--seed", "5", "--set", "seconds=0.5", "--set", "fails_on=some words")

    run = GenerationRun.objects.get()
    assert run.seed == 5
    assert run.settings == fake.DEFAULTS | {"seconds": 0.5, "fails_on": "some words"}


def test_an_interrupted_run_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(fake.Backwards, "outcomes", interrupt)
        with pytest.raises(CommandError, match="--resume") as stopped:
            generate_in(12, "--wait")
    assert stopped.value.returncode == 130

    run = GenerationRun.objects.get()
    generate("--resume", str(run.pk), "--wait")

    run.refresh_from_db()
    assert run.state == "done"
    assert set(run.batches.values_list("attempts", flat=True)) == {1}


def test_a_paused_run_can_be_resumed() -> None:
    generate_in(12)
    run = GenerationRun.objects.get()
    runs.pause(run)

    generate("--resume", str(run.pk), "--wait")

    run.refresh_from_db()
    assert run.state == "done"


def test_parked_batches_are_reported_and_tried_again_by_resume() -> None:
    with pytest.raises(CommandError, match=r"1 batch is parked.*\n.*Batch 2 .*cannot rewrite"):
        generate_in(12, "--wait", "--set", "fails_on=sentence number 7")
    run = GenerationRun.objects.get()
    run.settings = fake.DEFAULTS
    run.save()

    printed = generate("--resume", str(run.pk), "--wait")

    assert "12 of 12 sentences done" in printed


def test_a_cancelled_run_is_not_resumed() -> None:
    generate_in(1)
    run = GenerationRun.objects.get()
    runs.cancel(run)

    with pytest.raises(CommandError, match="cancelled"):
        generate("--resume", str(run.pk))


def test_a_run_whose_model_is_missing_does_not_start() -> None:
    with pytest.raises(CommandError, match="The model is missing"):
        generate_in(1, "--set", "model=absent")

    assert not GenerationRun.objects.exists()


def test_an_unknown_corpus_or_project_is_refused() -> None:
    fake.corpus(1, "Known")
    with pytest.raises(CommandError, match="no corpus 'None'; there are: Known"):
        generate("--corpus", "None", "--project", cast.study().name)
    with pytest.raises(CommandError, match="no project 'None'"):
        generate("--corpus", "Known", "--project", "None")
    with pytest.raises(CommandError, match="Name a corpus"):
        generate()


def test_several_corpora_get_a_run_each() -> None:
    fake.corpus(12, "One")
    fake.corpus(3, "Two")
    project = cast.study()

    generate("--corpus", "One", "--corpus", "Two", "--project", project.name, "--wait")

    assert list(project.runs.values_list("corpus__name", "state")) == [
        ("Two", "done"),
        ("One", "done"),
    ]
    assert Correction.objects.count() == 12


def test_a_preview_shows_what_came_of_its_sentences_and_how_to_go_on() -> None:
    printed = generate_in(25, "--preview", "--wait")

    run = GenerationRun.objects.get()
    assert "- sentence number 1\n  1 number sentence\n    other, inversions 1.00" in printed
    assert "- w0\n    too short\n" in printed
    assert "  accepted: 18\n  too short: 2\n20 of 25 sentences done (80%)" in printed
    assert f"manage.py runs approve {run.pk}" in printed
    assert f"manage.py runs cancel {run.pk}" in printed
    assert not Correction.objects.exists()


def test_an_approved_preview_goes_on() -> None:
    generate_in(25, "--preview", "--wait")
    run = GenerationRun.objects.get()
    runs.approve(run)

    generate("--resume", str(run.pk), "--wait")

    run.refresh_from_db()
    assert run.state == "done"
    assert Correction.objects.count() == 22


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("beam=50", ("beam", 50)),
        ("fix_quotes=false", ("fix_quotes", False)),
        ('movable=["name"]', ("movable", ["name"])),
        ("tagger=en_core_web_sm", ("tagger", "en_core_web_sm")),
        ("empty=", ("empty", "")),
    ],
)
def test_settings_are_json_or_else_strings(text: str, value: tuple[str, Any]) -> None:
    assert setting(text) == value


@pytest.mark.parametrize("text", ["beam", "=50"])
def test_a_setting_has_a_name_and_a_value(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        setting(text)
