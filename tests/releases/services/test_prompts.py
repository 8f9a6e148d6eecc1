"""A release whose candidates a chat model wrote: its prompts, and what cannot be repeated."""

import json
from hashlib import sha256
from io import StringIO

import pytest
from django.core.management import call_command

from annotation.model_judgments import services as model_judgments
from annotation.model_judgments import tasks
from annotation.pairs.labelled_lines import ModelJudgmentLine
from generation.methods import prompted
from generation.models import Candidate, GenerationRun
from releases.dataset.methods import NOT_REPEATABLE
from releases.dataset.verification import verify
from releases.services import publication
from support.studies import freeze_version

PROMPT = "Rewrite `{sentence}`\nin {language}."
IDENTITIES = {"generator": {"name": "local:small", "served": "org/Small", "revision": "7"}}


@pytest.fixture
def folder(project, tmp_path):
    settings = prompted.METHOD.configure({"generator": "local:small", "prompt": PROMPT})
    GenerationRun.objects.update(
        method="prompted", settings=settings, model_identities=IDENTITIES, queue="endpoint"
    )
    Candidate.objects.update(kind="near miss")
    release = freeze_version(project, version="1.0", dev=0, test=0, unlabeled_dev=0)
    publication.write_files(release, tmp_path / "release")
    return tmp_path / "release"


def printed(*command, **options):
    output = StringIO()
    call_command(*command, stdout=output, **options)
    return output.getvalue()


@pytest.mark.both_engines
def test_a_prompt_is_in_a_file_of_its_own(folder):
    digest = sha256(PROMPT.encode()).hexdigest()
    [row] = map(json.loads, (folder / "prompts.jsonl").read_text().splitlines())
    assert row == {"sha256": digest, "role": "generator", "model": "local:small", "text": PROMPT}
    manifest = json.loads((folder / "manifest.json").read_text())
    [run], [model] = manifest["runs"], manifest["models"]
    assert run["settings"]["prompt_sha256"] == digest
    assert "prompt" not in run["settings"] | json.loads(model["settings"])
    assert verify(folder) == []


def test_how_a_model_was_asked_to_judge_is_in_the_file_of_prompts(project, tmp_path):
    interview = tasks.interview_of(project, samples=2)
    pair = project.pairs.earliest("pk").public_id
    model_judgments.add(
        project,
        name="local:small",
        revision="a2f07d4c91be",
        interview={"model": IDENTITIES["generator"], **interview.parameters},
        lines=[ModelJudgmentLine(1, pair, 1, 0.5)],
    )
    release = freeze_version(project, version="1.0", dev=0, test=0, unlabeled_dev=0)
    publication.write_files(release, tmp_path / "release")
    [row] = map(json.loads, (tmp_path / "release/prompts.jsonl").read_text().splitlines())
    assert (row["role"], row["model"]) == (
        "judge: 2 answers to each pair, temperature 1.0, seed 0",
        "local:small a2f07d4c91be",
    )
    assert "1 Same meaning" in row["text"]
    assert "{sentence1}" in row["text"]
    assert verify(tmp_path / "release") == []


def test_the_card_says_that_answers_cannot_be_reproduced(folder):
    assert NOT_REPEATABLE in (folder / "README.md").read_text()


def test_models_on_other_servers_are_not_compared(folder):
    output = printed("verify_release", str(folder), models=True)
    assert "is intact" in output
    assert "Models on other servers were not compared: local:small." in output


def test_the_report_says_that_answers_cannot_be_reproduced(project, folder):
    assert NOT_REPEATABLE in printed("report", project=project.name)
