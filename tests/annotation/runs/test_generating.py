"""Runs that are started for a project, by command, and what they bring it."""

from dataclasses import replace
from io import StringIO
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command

from accounts.audited_acts import Act
from accounts.models import AuditEntry
from annotation.management.arguments import setting
from annotation.models import Correction, Intake
from annotation.pairs.services import intake
from annotation.runs import services as generating
from generation import methods
from generation.models import Corpus, GenerationRun, Method
from generation.services import runs
from generation.services.runs import Action
from support import fake
from support.workers import work_until_idle
from tests.annotation import make
from tests.generation.conftest import takes_pairs  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


def generate(*options):
    output = StringIO()
    call_command("generate", *options, stdout=output)
    return output.getvalue()


def generate_in(size, *options, name="Tests"):
    """Generate over a new corpus of this size for a new project."""
    corpus = fake.corpus(size, name)
    return generate(f"--corpus={corpus.name}", f"--project={make.study().name}", *options)


def the_run():
    return GenerationRun.objects.get()


def resume():
    return generate("--resume", str(the_run().pk), "--wait")


def test_with_wait_the_candidates_are_made_and_the_reasons_of_the_others_are_counted():
    printed = generate_in(12, "--wait")
    assert (the_run().state, Correction.objects.count()) == ("done", 10)
    assert (
        "  10 with candidates\n  2 shorter than the settings allow\n12 of 12 sentences done (100%)"
        in printed
    )
    printed = generate_in(1, "--wait", name="Short")
    assert "  1 shorter than the settings allow\nNo candidate came of these sentences" in printed
    assert "docs/researcher/word_swap.md\n1 of 1 sentences done (100%)" in printed


def test_several_candidates_of_a_sentence_are_asked_for_by_number():
    generate_in(3, "--wait", "--per-sentence", "2")
    ranks = the_run().candidate_set.order_by("sentence", "rank").values_list("rank", flat=True)
    assert list(ranks) == [0, 1, 0, 1]  # the third sentence has one word
    assert Correction.objects.count() == 4


def test_without_wait_the_worker_finds_the_run_with_its_seed_and_settings():
    assert "12 sentences" in generate_in(12, "--seed", "5", "--set", "fails_on=some words")
    settings = fake.DEFAULTS | {"fails_on": "some words"}
    assert (the_run().seed, the_run().settings) == (5, settings)
    work_until_idle()
    assert intake.take_in_all() == 10


def test_an_interrupted_or_paused_run_is_resumed_and_parked_batches_tried_again(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(fake.Backwards, "outcomes", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(CommandError, match="--resume") as stopped:
            generate_in(12, "--wait", "--set", "fails_on=sentence number 7")
    assert stopped.value.returncode == 130
    runs.steer(the_run(), Action.PAUSE)
    with pytest.raises(CommandError, match=r"1 batch is parked.*\n.*Batch 2 .*cannot rewrite"):
        resume()
    GenerationRun.objects.update(settings=fake.DEFAULTS)
    assert "12 of 12 sentences done" in resume()
    assert the_run().state == "done"


def test_acts_of_the_command_are_on_record():
    generate_in(12)
    runs.steer(the_run(), Action.PAUSE)
    resume()
    entries = AuditEntry.objects.filter(public_id=the_run().public_id).order_by("pk")
    acts = [(Act.RUN_STARTED, None), *[(Act.RUN_STEERED, None)] * 2]
    assert [(entry.act, entry.by) for entry in entries] == acts


def test_a_preview_shows_what_came_of_its_sentences_and_goes_on_once_approved():
    printed = generate_in(25, "--preview", "--wait")
    assert "- sentence number 1\n  1 number sentence\n    other, inversions 1.00" in printed
    assert "- w0\n    shorter than the settings allow\n" in printed
    assert "Of all 25 sentences, 18 to 24 probably get candidates" in printed
    assert (
        "  18 with candidates\n  2 shorter than the settings allow\n20 of 25 sentences done (80%)"
        in printed
    )
    assert f"manage.py generate --resume {the_run().pk}" in printed
    assert not Correction.objects.exists()
    resume()
    assert (the_run().state, Correction.objects.count()) == ("done", 22)


def test_resuming_a_preview_whose_batch_is_parked_retries_it_and_does_not_approve_it():
    with pytest.raises(CommandError, match="1 batch is parked"):
        generate_in(25, "--preview", "--wait", "--set", "fails_on=sentence number 7")
    GenerationRun.objects.update(settings=fake.DEFAULTS)
    assert "This was a preview" in resume()
    assert the_run().preview


def test_what_cannot_be_generated_or_resumed_is_refused():
    corpus, project = f"--corpus={fake.corpus(1, 'Known').name}", f"--project={make.study().name}"
    for options, message in [
        ([corpus, project, "--set", "model=absent"], "The model is missing"),
        (["--corpus", "None", project], "no corpus 'None'; there are: 'Known'"),
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
    runs.steer(the_run(), Action.CANCEL)
    with pytest.raises(CommandError, match="cancelled"):
        resume()


@pytest.mark.parametrize(
    ("options", "rewrites_pairs"),
    [([], True), (["--rewrite", "pairs"], True), (["--rewrite", "sentences"], False)],
)
def test_pairs_are_those_of_the_word_swaps_that_the_project_has_adopted(
    takes_pairs,  # noqa: F811
    options,
    rewrites_pairs,
):
    project = make.study(corrected_methods=[Method.BACK_TRANSLATION])
    corpus = fake.corpus(5)
    [swapped] = generating.start(project, [corpus], method="word_swap")
    fake.run(corpus)
    work_until_idle()
    intake.take_in(project)
    names = ("--corpus", corpus.name, "--project", project.name)
    generate(*names, "--method", "back_translation", *options)
    assert list(GenerationRun.objects.latest("pk").pairs_of.all()) == [swapped] * rewrites_pairs


def test_without_word_swaps_the_sentences_are_rewritten_unless_pairs_are_asked_for(
    takes_pairs,  # noqa: F811
):
    project, corpus = make.study(), fake.corpus(5)
    names = ("--corpus", corpus.name, "--project", project.name)
    with pytest.raises(CommandError, match="no corrected word-swap pairs"):
        generate(*names, "--method", "back_translation", "--rewrite", "pairs")
    assert not GenerationRun.objects.exists()
    generate(*names, "--method", "back_translation", "--wait")
    run = GenerationRun.objects.get()
    assert (run.pairs_of.count(), project.pairs.count()) == (0, run.candidate_set.count()) == (0, 4)


def test_a_method_that_takes_no_pairs_refuses_them():
    names = ("--corpus", fake.corpus(5).name, "--project", make.study().name)
    with pytest.raises(CommandError, match="word_swap rewrites sentences, not pairs"):
        generate(*names, "--rewrite", "pairs")


def test_every_project_that_adopts_a_run_takes_it_in_once_with_sides_in_random_order():
    project, other = make.study(seed=7), make.study()
    other.runs.add(make.pairs(project, 200)[0].run)
    assert [intake.take_in_all(), intake.take_in_all()] == [200, 0]
    assert (project.pairs.count(), other.pairs.count(), Intake.objects.count()) == (200, 200, 2)
    assert 70 < project.pairs.filter(flipped=True).count() < 130


def test_a_corpus_in_another_language_is_refused_before_anything_starts(
    monkeypatch, admin_client, project
):
    english = replace(fake.METHOD, languages=("en",), for_others="Import finished pairs.")
    monkeypatch.setitem(methods.METHODS, Method.WORD_SWAP, english)
    german = fake.corpus(5, "German")
    Corpus.objects.filter(pk=german.pk).update(language="de")
    fake.corpus(5, "English")
    refusal = "German is in German, but word swap works on English only. Import finished pairs."
    # Before the models are looked at, and no run of the other corpus starts.
    options = ("--corpus=English", "--corpus=German", "--set", "model=missing")
    with pytest.raises(CommandError, match=refusal):
        generate(*options, f"--project={project.name}")

    body = {"project": str(project.public_id), "corpora": ["German"], "method": "word_swap"}
    reply = admin_client.post("/api/runs/", body, content_type="application/json")
    assert reply.status_code == 400
    assert refusal in reply.content.decode()
    assert not GenerationRun.objects.exists()
