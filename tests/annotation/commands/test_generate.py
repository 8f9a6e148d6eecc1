"""manage.py generate."""

from io import StringIO

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


def generate(*options):
    output = StringIO()
    call_command("generate", *options, stdout=output)
    return output.getvalue()


def generate_in(size, *options, name="Tests"):
    """Generate over a new corpus of this size for a new project."""
    project = f"--project={cast.study().name}"
    return generate(f"--corpus={fake.corpus(size, name).name}", project, *options)


def the_run():
    return GenerationRun.objects.get()


def resume():
    return generate("--resume", str(the_run().pk), "--wait")


def test_with_wait_the_candidates_are_made_and_the_reasons_of_the_others_are_counted():
    printed = generate_in(12, "--wait")
    assert (the_run().state, Correction.objects.count()) == ("done", 10)
    assert "  accepted: 10\n  too short: 2\n12 of 12 sentences done (100%)" in printed
    printed = generate_in(1, "--wait", name="Short")
    assert "  too short: 1\nNo candidate came of these sentences" in printed
    assert "docs/word_swap.md\n1 of 1 sentences done (100%)" in printed


def test_without_wait_the_worker_finds_the_run_with_its_seed_and_settings():
    options = ("--seed", "5", "--set", "seconds=0.0", "--set", "fails_on=some words")
    assert "12 sentences" in generate_in(12, *options)
    assert the_run().seed == 5
    assert the_run().settings == fake.DEFAULTS | {"seconds": 0.0, "fails_on": "some words"}
    worker.work_until_idle()
    assert intake.take_in_all() == 10


def test_an_interrupted_or_paused_run_is_resumed(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(fake.Backwards, "outcomes", interrupt)
        with pytest.raises(CommandError, match="--resume") as stopped:
            generate_in(12, "--wait")
    assert stopped.value.returncode == 130
    runs.pause(the_run())
    resume()
    assert the_run().state == "done"
    assert set(the_run().batches.values_list("attempts", flat=True)) == {1}


def test_parked_batches_are_reported_and_tried_again_by_resume():
    with pytest.raises(CommandError, match=r"1 batch is parked.*\n.*Batch 2 .*cannot rewrite"):
        generate_in(12, "--wait", "--set", "fails_on=sentence number 7")
    GenerationRun.objects.update(settings=fake.DEFAULTS)
    assert "12 of 12 sentences done" in resume()


def test_a_preview_shows_what_came_of_its_sentences_and_goes_on_once_approved():
    printed = generate_in(25, "--preview", "--wait")
    assert "- sentence number 1\n  1 number sentence\n    other, inversions 1.00" in printed
    assert "- w0\n    too short\n" in printed
    assert "  accepted: 18\n  too short: 2\n20 of 25 sentences done (80%)" in printed
    assert f"manage.py runs approve {the_run().pk}" in printed
    assert f"manage.py runs cancel {the_run().pk}" in printed
    assert not Correction.objects.exists()
    runs.approve(the_run())
    resume()
    assert (the_run().state, Correction.objects.count()) == ("done", 22)


def test_what_cannot_be_generated_or_resumed_is_refused():
    corpus, project = f"--corpus={fake.corpus(1, 'Known').name}", f"--project={cast.study().name}"
    for options, message in [
        ([corpus, project, "--set", "model=absent"], "The model is missing"),
        (["--corpus", "None", project], "no corpus 'None'; there are: Known"),
        ([corpus, "--project", "None"], "no project 'None'"),
        ([], "Name a corpus"),
        ([corpus, project, "--set", "beam"], "is not name=value"),
        ([corpus, project, "--set", "=50"], "is not name=value"),
    ]:
        with pytest.raises(CommandError, match=message):
            generate(*options)
    assert not GenerationRun.objects.exists()
    texts = ["beam=50", "fix_quotes=false", 'movable=["name"]', "tagger=en_core_web_sm", "empty="]
    assert [setting(text)[1] for text in texts] == [50, False, ["name"], "en_core_web_sm", ""]
    generate(corpus, project)
    runs.cancel(the_run())
    with pytest.raises(CommandError, match="cancelled"):
        resume()
