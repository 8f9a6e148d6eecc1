"""A tiny chat model behind `transformers serve` writes, judges and translates: all is counted.

What it says is noise: nothing is lost, and nothing is paid twice.
"""

import json
from collections import Counter

import pytest
from django.core.management import call_command

from annotation.model_judgments import task_work, tasks
from annotation.models import JudgingModel, ModelJudgment
from annotation.runs import services as project_runs
from generation import installed_endpoints
from generation.models import Batch, Candidate, Corpus, Method, Reply
from generation.readers import Row
from generation.services import runs, worker
from generation.services.sentences import import_sentences
from tests.annotation import make
from tests.generation.nlp.adapters import tiny
from tests.thorough.processes.test_neural_endpoint import TEMPLATE, chat_server

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["chat_server"]
SENTENCES = 100
FILE = """[local]
address = "http://127.0.0.1:{port}/v1"
parallel = 8
[local.models.tiny]
served = "{folder}"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    tiny.chat_gpt2(folder)
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    ends = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 0}
    (folder / "generation_config.json").write_text(json.dumps({"do_sample": True} | ends))
    return folder


@pytest.fixture
def project(settings, tmp_path, folder, chat_server):
    path = tmp_path / "endpoints.toml"
    path.write_text(FILE.format(port=chat_server, folder=folder))
    settings.ENDPOINTS_FILE = str(path)
    return make.study()


@pytest.fixture
def corpus(project):
    corpus = Corpus.objects.create(name="Mills", language="en")
    texts = (f"The old mill number {n} was sold to a baker from Rome." for n in range(SENTENCES))
    import_sentences([Row(n, text) for n, text in enumerate(texts, 1)], corpus=corpus)
    project.corpora.add(corpus)
    return corpus


def finish(run):
    while worker.step(run):
        pass
    run.refresh_from_db()
    assert run.state == "done", run.paused_because
    outcomes = Counter()
    for batch in run.batches.all():
        assert batch.state == Batch.State.DONE
        outcomes += Counter(batch.outcomes)
    return outcomes


def paid(row):
    replies = Reply.objects.filter(spent_by=row.public_id)
    tokens = [sum(pair) for pair in replies.values_list("tokens_in", "tokens_out")]
    return len(tokens), sum(tokens)


@pytest.mark.parametrize(
    ("method", "values", "samples"),
    [
        (Method.PROMPTED, {"generator": "local:tiny", "scorer": "", "samples": 2}, 2),
        (Method.TRANSLATION, {"forward": "local:tiny", "language": "de"}, 1),
    ],
)
def test_every_sentence_is_asked_about_once_for_each_sample(
    project, corpus, method, values, samples
):
    if method == Method.TRANSLATION:
        run = runs.start(corpus, method=method, settings=values, seed=0)
    else:
        [run] = project_runs.start(project, [corpus], method=method, settings=values)
    outcomes = finish(run)
    assert outcomes.total() == SENTENCES
    assert Candidate.objects.filter(run=run).count() == outcomes["accepted"]
    assert paid(run) == (samples * SENTENCES, run.tokens_used)


def test_every_pair_is_judged_or_counted_as_not_labelled(project):
    make.pairs(project, SENTENCES)
    model = installed_endpoints.endpoints().model("local:tiny")
    task = tasks.ask(project, model, tasks.interview_of(project, samples=2))
    task_work.TASKS.do_next()
    task.refresh_from_db()
    assert (task.state, task.done) == ("done", SENTENCES), task.paused_because
    labelled = ModelJudgment.objects.filter(model__in=JudgingModel.objects.all()).count()
    assert labelled + task.unlabelled == SENTENCES
    assert paid(task) == (2 * SENTENCES, task.tokens_used)
    call_command("judge_pairs", project=project.name, model="local:tiny", samples=2, wait=True)
    assert Reply.objects.count() == 2 * SENTENCES
