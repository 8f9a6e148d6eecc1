"""Runs of chat models: which models a project may choose, and what becomes of a run."""

import re

import pytest

from annotation.runs import services as project_runs
from generation import estimates, installed_endpoints
from generation.errors import BadSettings, MissingModel
from generation.methods import METHODS
from generation.model_store import EMBEDDED
from generation.models import Candidate, GenerationRun
from generation.readers import Row
from generation.selectors import dropped
from generation.services.sentences import import_sentences
from support import fake
from support.workers import work_until_idle
from tests.annotation.pages import page
from tests.endpoint_server import says, serving

pytestmark = pytest.mark.django_db

SENTENCES = [f"The nurse {verb} the baker in May." for verb in ("met", "saw", "paid", "led")]
FILE = """
[local]
address = "{address}"
note = "Texts stay here."
projects = ["{project}"]
[local.models.small]
"""
QUERY = {"method": "prompted"}


def swap(body):
    source = re.findall("Sentence: (.+)\n", body["messages"][-1]["content"])[-1]
    return says(source.replace("nurse", "x").replace("baker", "nurse").replace("x", "baker"))


@pytest.fixture
def server(settings, tmp_path, project):
    """A server that exchanges two people, and that the project may use."""
    path = tmp_path / "endpoints.toml"
    settings.ENDPOINTS_FILE = str(path)
    with serving(answer=swap) as server:
        path.write_text(FILE.format(address=server.address, project=project.name))
        yield server


@pytest.fixture
def corpus(project):
    corpus = fake.corpus(0, "Rivers")
    rows = [Row(number, text) for number, text in enumerate(["Yes.", *SENTENCES], 1)]
    import_sentences(rows, corpus=corpus)
    project.corpora.add(corpus)
    return corpus


def start(project, corpus, **settings):
    settings = {"generator": "local:small"} | settings
    [run] = project_runs.start(project, [corpus], method="prompted", settings=settings)
    return run


def test_without_models_the_form_says_where_to_add_one(corpus, project, manager):
    shown = manager.get(page("new_run", project), QUERY).text
    assert "This project has no chat model to choose." in shown
    assert "/help/operator/endpoints/" in shown
    assert re.search(r'<button class="button primary" disabled', shown)


def test_the_form_offers_models_with_their_notes(corpus, project, manager, server):
    shown = manager.get(page("new_run", project), QUERY).text
    assert re.search(
        '<option value="local:small"[^>]*>local:small · Texts stay here.</option>', shown
    )
    assert "This project has no chat model to choose." not in shown


def test_a_prompt_of_a_browser_is_that_of_the_preset(corpus, project, manager, server):
    address = f"{page('new_run', project)}?method=prompted"
    form = manager.get(address).context["form"]
    values = {field.html_name: field.value() for field in form}
    values = {name: value for name, value in values.items() if value is not None}
    values |= {"corpus": corpus.pk, "generator": "local:small"}
    values.pop("preview")
    values["prompt"] = values["prompt"].replace("\n", "\r\n")
    assert manager.post(address, values).status_code == 302
    run = GenerationRun.objects.get()
    assert project_runs.methods.preset_of(run.method, run.settings) == ("reorder", "")


def test_a_project_may_not_use_the_models_of_another(corpus, project, server):
    project.name = "Another one"
    with pytest.raises(BadSettings, match="may not use the model local:small"):
        start(project, corpus)


def test_a_model_that_the_file_does_not_name_is_refused(corpus, project, server):
    with pytest.raises(MissingModel, match="has no model local:large"):
        start(project, corpus, generator="local:large")


def test_a_run_asks_in_the_language_of_its_corpus(corpus, project, server):
    corpus.language = "de"
    corpus.save()
    run = start(project, corpus, samples=1)
    assert (run.settings["corpus_language"], run.settings["scorer"]) == ("de", "")
    work_until_idle(run)
    prompts = [body["messages"][-1]["content"] for body in server.bodies]
    assert len(prompts) == len(SENTENCES)
    assert all(prompt.startswith("Rewrite the German sentence below") for prompt in prompts)


def test_good_samples_become_candidates(corpus, project, server):
    run = start(project, corpus)
    work_until_idle(run)
    candidates = Candidate.objects.order_by("sentence")
    assert [candidate.text for candidate in candidates] == [
        text.replace("nurse", "x").replace("baker", "nurse").replace("x", "baker")
        for text in SENTENCES
    ]
    assert {candidate.kind for candidate in candidates} == {"near miss"}
    assert {candidate.inversion_rate > 0 for candidate in candidates} == {True}
    assert dropped(run) == {"repeated": 3 * len(SENTENCES)}
    assert run.settings["scorer"] == EMBEDDED


def test_the_estimate_counts_the_language_that_a_prompt_names(corpus, server):
    model = installed_endpoints.endpoints().model("local:small")
    tokens = []
    for prompt in ("{sentence}", "{sentence}" + "{language}" * 20):
        settings = METHODS["prompted"].configure({"generator": "local:small", "prompt": prompt})
        tokens.append(estimates.of_corpus(corpus, "prompted", settings, [model]).tokens)
    assert 0 < tokens[0] < tokens[1]


def test_only_with_models_a_language_without_a_method_can_be_rewritten(project, settings, server):
    assert project_runs.can_rewrite(project, "fi")
    settings.ENDPOINTS_FILE = ""
    assert not project_runs.can_rewrite(project, "fi")
