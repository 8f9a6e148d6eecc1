"""Servers that show the key with which they are asked: Pawsmith neither keeps it nor shows it."""

import logging

import pytest
from django.apps import apps
from django.core import serializers
from django.urls import reverse

from annotation.model_judgments import tasks
from annotation.runs import services as project_runs
from common.outages import Retry
from generation import installed_endpoints
from generation.models import Candidate, GenerationRun, Reply
from generation.readers import Row
from generation.services.sentences import import_sentences
from operations.management.commands import worker
from support import fake
from tests.annotation import make
from tests.annotation.pages import page
from tests.endpoint_server import completion, fails, sends, serving

pytestmark = pytest.mark.django_db

KEY = "sk-secret/0123456789"
FILE = """
[local]
address = "{address}"
key_file = "{key_file}"
[local.models.small]
"""
SENTENCES = [f"The nurse {verb} the baker in May." for verb in ("met", "saw", "paid", "led")]
SETTINGS = {"generator": "local:small", "same_words": False, "intent": "any", "samples": 1}


def show_key(body):
    """Answer with the key wherever a text can be; what begins with 1 is the label of a pair."""
    text = f"1. The baker met {body['seed']} nurses, {KEY}."
    choice = {"finish_reason": KEY, "logprobs": {"content": [{"top_logprobs": [{"token": KEY}]}]}}
    return sends(
        completion(text, choice=choice) | {"id": KEY, "model": KEY, "system_fingerprint": KEY}
    )


@pytest.fixture
def project():
    return make.study()


@pytest.fixture
def worked(project, settings, tmp_path, caplog):
    """A run and a task that ended, and a run and a task that the server then refused."""
    caplog.set_level(logging.DEBUG)
    file, key_file = tmp_path / "endpoints.toml", tmp_path / "key"
    settings.ENDPOINTS_FILE = str(file)
    key_file.write_text(KEY)
    make.pairs(project, 2)
    corpus = fake.corpus(0, "Rivers")
    import_sentences([Row(n, text) for n, text in enumerate(SENTENCES, 1)], corpus=corpus)
    project.corpora.add(corpus)
    with serving(fails(400, KEY), answer=show_key) as server:
        file.write_text(FILE.format(address=server.address, key_file=key_file))
        for answer in (show_key, lambda _: fails(401, KEY)):
            server.answer = answer
            _ask(project, corpus, seed=len(server.bodies))
    assert {headers["Authorization"] for headers in server.headers} == {f"Bearer {KEY}"}


def _ask(project, corpus, seed):
    model = installed_endpoints.endpoints().model("local:small")
    project_runs.start(project, [corpus], method="prompted", settings=SETTINGS, seed=seed)
    tasks.ask(project, model, tasks.interview_of(project, samples=2, seed=seed))
    while worker.ask_models_once(Retry()):
        pass


def addresses(project):
    """Pages and REST replies about runs, tasks and what models have answered."""
    names = ("generation_runs", "new_run", "compare_runs", "models", "ask_model", "history")
    yield from (page(name, project) for name in names)
    yield from (
        reverse(name, args=[project.public_id]) for name in ("api_models", "api_model_tasks")
    )
    yield from (reverse(name) for name in ("api_runs", "api_endpoints", "status"))
    for run in GenerationRun.objects.all():
        yield page("run", project, run.public_id)
        yield from (reverse(name, args=[run.public_id]) for name in ("api_run", "api_candidates"))
    for model in (Candidate, GenerationRun, Reply):
        name = f"admin:{model._meta.label_lower.replace('.', '_')}_change"
        yield from (reverse(name, args=[row.pk]) for row in model.objects.all())


def test_no_table_has_the_key(worked):
    rows = "".join(
        serializers.serialize("json", model._base_manager.all()) for model in apps.get_models()
    )
    assert "[key]" in rows
    assert KEY not in rows


def test_no_log_has_the_key(worked, caplog):
    lines = [caplog.handler.format(record) for record in caplog.get_records("setup")]
    assert any("local answered 401" in line for line in lines)
    assert [line for line in lines if KEY in line] == []


def test_no_page_has_the_key(project, worked, client):
    user = make.person(project, role="manager").user
    user.is_staff = user.is_superuser = True
    user.save()
    client.force_login(user)
    replies = {address: client.get(address) for address in addresses(project)}
    assert [address for address, reply in replies.items() if reply.status_code != 200] == []
    texts = {address: reply.content.decode() for address, reply in replies.items()}
    assert any("[key]" in text for text in texts.values())
    assert [address for address, text in texts.items() if KEY in text] == []
