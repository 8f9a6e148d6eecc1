"""A model behind an endpoint judges pairs: each reply is paid once, nothing is lost or repeated."""

from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from accounts.audited_acts import Act
from accounts.models import AuditEntry
from annotation.errors import Refused
from annotation.model_judgments import task_work, tasks
from annotation.models import JudgingModel, ModelJudgment, ModelTask
from common.outages import Retry
from generation import installed_endpoints
from generation.models import Reply
from generation.services import replies
from operations.management.commands import worker
from tests.annotation import judged, make, pages
from tests.annotation.rest import client_of
from tests.endpoint_server import fails, says, serving

pytestmark = pytest.mark.django_db
State = ModelTask.State


@pytest.fixture
def project():
    project = make.study(guidelines="Compare what is said.")
    judged.pairs(project, [[1] * 5, [0] * 5], by=judged.people(project, 5))
    make.pairs(project, 2)
    return project


@pytest.fixture
def server(settings, tmp_path):
    """Finds that pairs with an odd number of characters mean the same."""
    settings.ENDPOINTS_FILE = str(tmp_path / "endpoints.toml")
    with serving(answer=_by_length) as server:
        tables = f'[local]\naddress = "{server.address}"\n[local.models.small]\nlogprobs = true\n'
        (tmp_path / "endpoints.toml").write_text(tables)
        yield server


def _by_length(body):
    return says(str(len(body["messages"][-1]["content"]) % 2))


def ask(project, **options):
    parameters = {name: options.pop(name) for name in ("prompt", "samples") if name in options}
    model = installed_endpoints.endpoints().model("local:small")
    return tasks.ask(project, model, tasks.interview_of(project, **parameters), **options)


def work(task):
    """Do what the thread of the worker does."""
    worker.ask_models_once(Retry())
    task.refresh_from_db()


def change_file(settings, change):
    path = Path(settings.ENDPOINTS_FILE)
    path.write_text(change(path.read_text()))
    installed_endpoints._read.cache_clear()


def labels_of(project):
    rows = ModelJudgment.objects.filter(model__project=project).order_by("pair")
    return list(rows.values_list("label", "score"))


def test_every_pair_gets_a_label_that_says_how_it_was_asked(project, server):
    task = ask(project)
    work(task)
    assert (task.state, task.done, task.total) == (State.DONE, 4, 4)
    assert len(server.bodies) == 4 * 4 == Reply.objects.filter(spent_by=task.public_id).count()
    assert [score in (0.0, 1.0) for _, score in labels_of(project)] == [True] * 4
    model = JudgingModel.objects.get()
    assert (model.name, model.revision) == ("local:small", task.revision)
    assert model.interview["model"]["served"] == "small"
    assert "Compare what is said." in model.interview["guidelines"]
    assert "Compare what is said." in server.bodies[0]["messages"][0]["content"]


def test_the_scope_leaves_out_what_people_have_decided(project, server):
    work(ask(project, scope="undecided"))
    assert ModelJudgment.objects.filter(pair__consensus=None).count() == 2
    assert ModelJudgment.objects.count() == 2


def test_a_draw_asks_about_that_many_pairs(project, server):
    work(ask(project, draw=3))
    assert ModelJudgment.objects.count() == 3


def test_replies_without_a_label_are_counted(project, server):
    server.answer = lambda body: says("Hard to say.")
    task = ask(project, samples=2)
    work(task)
    assert task.state == State.DONE
    assert (task.unusable, task.unlabelled) == ({"no_label": 8}, 4)
    assert not ModelJudgment.objects.exists()


def test_ties_get_the_lowest_label_which_page_and_rest_tell(project, server):
    server.answer = lambda body: says(str(body["seed"] % 2))
    work(ask(project, samples=2))
    assert labels_of(project) == [(0, 0.5)] * 4
    client = pages.client_of(project)
    assert "4 pairs were ties" in client.get(pages.page("models", project)).text
    [task] = client.get(reverse("api_model_tasks", args=[project.public_id])).json()["results"]
    assert task["ties"] == 4


def test_the_limit_of_tokens_pauses_and_a_higher_one_goes_on_without_paying_twice(project, server):
    task = ask(project, most_tokens=1_500)
    work(task)
    assert (task.state, task.lease_until) == (State.PAUSED, None)
    paid = Reply.objects.count()
    assert 0 < paid < 16
    assert task.done == ModelJudgment.objects.count() > 0  # pairs whose replies have all arrived
    tasks.resume(task, most_tokens=100_000, by=None)
    work(task)
    assert (task.state, ModelJudgment.objects.count()) == (State.DONE, 4)
    assert len(server.bodies) == Reply.objects.count() == 16


def test_the_limit_holds_over_all_slices(project, server, monkeypatch):
    monkeypatch.setattr(task_work, "SLICE", 1)
    usage = {"prompt_tokens": 1_000, "completion_tokens": 1_000}
    server.answer = lambda body: says("1", usage=usage)
    task = ask(project, samples=2, most_tokens=3_000)
    work(task)
    assert (task.state, task.tokens_used) == (State.PAUSED, 4_000)


def test_a_refused_key_pauses_the_task_and_says_why(project, server, caplog):
    server.answer = lambda body: fails(401)
    task = ask(project)
    work(task)
    assert task.state == State.PAUSED
    assert "401" in task.paused_because
    [line] = [record.getMessage() for record in caplog.records if record.name == task_work.__name__]
    assert "was given back" in line
    assert "401" in line


def test_another_model_under_the_name_pauses_the_task(project, server, settings):
    task = ask(project)
    change_file(settings, lambda tables: tables + 'served = "Other"\n')
    work(task)
    assert task.state == State.PAUSED
    assert "is now Other" in task.paused_because


def test_the_same_question_is_asked_by_one_task_at_a_time(project, server):
    first = ask(project)
    with pytest.raises(Refused, match="already"):
        ask(project)
    ask(project, samples=2)
    tasks.cancel(first, by=None)
    ask(project)


def test_steps_that_the_state_does_not_allow_are_refused(project, server):
    task = ask(project)
    with pytest.raises(Refused):
        tasks.resume(task, by=None)
    tasks.pause(task, by=None)
    work(task)
    assert (task.state, server.bodies) == (State.PAUSED, [])
    tasks.cancel(task, by=None)
    with pytest.raises(Refused):
        tasks.pause(task, by=None)


def test_a_project_that_the_endpoint_excludes_may_not_ask(project, server, settings):
    change_file(settings, lambda text: text.replace("[local]", '[local]\nprojects = ["Another"]'))
    with pytest.raises(Refused, match="may not use"):
        ask(project)


@pytest.mark.parametrize(
    ("days_since_end", "is_kept"), [(None, True), (89, True), (91, False)], ids=str
)
def test_replies_are_kept_until_days_after_the_end_of_the_task(
    project, server, days_since_end, is_kept
):
    work(ask(project))
    now = timezone.now()
    end = None if days_since_end is None else now - timedelta(days=days_since_end)
    ModelTask.objects.update(finished_at=end)
    Reply.objects.update(created_at=now - timedelta(days=200))
    replies.delete_old()
    assert Reply.objects.exists() == is_kept


def test_a_task_that_fails_has_ended(project, server, monkeypatch):
    task = ask(project)
    monkeypatch.setattr(task_work, "_pairs_of", Mock(side_effect=ValueError("no pairs")))
    work(task)
    assert (task.state, task.failure) == (State.FAILED, "no pairs")
    assert task.finished_at


def test_the_page_estimates_and_then_asks(project, server, client):
    manager = make.person(project, role="manager")
    client.force_login(manager.user)
    address = reverse("ask_model", args=[project.public_id])
    page = client.get(address)
    assert "Sentence 1: {sentence1}" in page.content.decode()
    form = page.context["form"]
    values = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    values["model"] = "local:small"
    assert "4 pairs. About 16 replies" in page.content.decode()
    estimated = client.post(address, values | {"estimate": "on", "samples": 2})
    assert "4 pairs. About 8 replies" in estimated.content.decode()
    assert not ModelTask.objects.exists()
    client.post(address, values)
    work(ModelTask.objects.get())
    shown = client.get(reverse("models", args=[project.public_id])).content.decode()
    assert "Replies: 16" in shown
    assert server.address not in shown


def test_a_task_is_not_resumed_with_the_limit_that_it_has_reached(project, server):
    task = ask(project, most_tokens=1_500)
    work(task)
    with pytest.raises(Refused, match="Resume with a higher one"):
        tasks.resume(task, most_tokens=1_500, by=None)


def test_the_history_has_a_task_once_however_many_slices_it_takes(project, server, monkeypatch):
    monkeypatch.setattr(task_work, "SLICE", 2)
    work(ask(project))
    acts = AuditEntry.objects.filter(act__startswith="model").values_list("act", flat=True)
    assert [*acts] == [Act.MODEL_ASKED]


def test_the_overview_says_that_a_worker_paused_a_task(project, server, client):
    work(ask(project, most_tokens=1_500))
    client.force_login(make.person(project, role="manager").user)
    page = client.get(reverse("overview", args=[project.public_id])).content.decode()
    assert "A worker paused 1 model that judges: its limit is reached" in page


def test_the_page_of_a_done_task_leads_to_the_figures_of_its_model(project, server, client):
    work(ask(project))
    client.force_login(make.person(project, role="manager").user)
    page = client.get(reverse("models", args=[project.public_id])).content.decode()
    assert f"?model={JudgingModel.objects.get().public_id}#stand-in" in page


def test_the_page_says_that_no_worker_asks_models(project, server, client):
    ask(project)
    client.force_login(make.person(project, role="manager").user)
    page = client.get(reverse("models", args=[project.public_id])).content.decode()
    assert "No worker that asks models on other servers is running" in page


def test_a_wrong_prompt_keeps_what_was_typed(project, server, client):
    client.force_login(make.person(project, role="manager").user)
    address = reverse("ask_model", args=[project.public_id])
    values = {"model": "local:small", "prompt": "Say {labels} of {sentence1}", "samples": 4}
    reply = client.post(
        address,
        values
        | {
            "scope": "all",
            "ask_for": "samples",
            "seed": 0,
            "temperature": 1,
            "most_tokens": 1000,
        },
    )
    assert reply.status_code == 422
    text = reply.content.decode()
    assert "lacks {sentence2}" in text
    assert "Say {labels} of {sentence1}" in text


def test_the_command_judges_and_waits(project, server, capsys):
    call_command("judge_pairs", project=project.name, model="local:small", estimate=True)
    assert "4 pairs. About 16 replies" in capsys.readouterr().out
    call_command("judge_pairs", project=project.name, model="local:small", wait=True)
    assert ModelJudgment.objects.count() == 4
    with pytest.raises(CommandError, match="no model other:one"):
        call_command("judge_pairs", project=project.name, model="other:one")


def test_a_program_asks_and_stops_a_model_over_rest(project, server):
    address = reverse("api_model_tasks", args=[project.public_id])
    client = client_of(make.person(project, role="manager").user)
    started = client.post(address, {"model": "local:small"}, format="json")
    assert started.status_code == 201, started.content
    again = client.post(address, {"model": "local:small"}, format="json")
    assert again.status_code == 409
    step = reverse("api_model_task_steering", args=[started.json()["id"], "cancel"])
    assert client.post(step).json()["state"] == "cancelled"
    assert client.post(step).status_code == 409
    [task] = client.get(address).json()["results"]
    assert task["model"] == "local:small"
    assert client.get(reverse("api_model_task", args=[task["id"]])).json() == task


@pytest.fixture
def priced(server, settings):
    """The model takes 500 EUR for a million tokens."""
    prices = 'price_in = 500\nprice_out = 500\ncurrency = "EUR"\n'
    change_file(settings, lambda text: text + prices)


def test_over_rest_costs_are_answered_in_the_currency_in_which_they_are_sent(project, priced):
    address = reverse("api_model_tasks", args=[project.public_id])
    client = client_of(make.person(project, role="manager").user)
    sent = {"model": "local:small", "most_cost": 12.5}
    started = client.post(address, sent, format="json").json()
    assert (started["most_cost"], started["usage"]["cost"]) == (12.5, 0)
    work(ModelTask.objects.get())
    [task] = client.get(address).json()["results"]
    tokens = task["usage"]["tokens_in"] + task["usage"]["tokens_out"]
    assert 0 < task["usage"]["cost"] == pytest.approx(tokens * 0.0005)
    assert (task["state"], task["usage"]["currency"]) == ("done", "EUR")


def test_a_task_at_its_limit_of_cost_goes_on_with_a_higher_one(project, priced):
    manager = pages.client_of(project)
    task = ask(project, most_cost=0.5)
    work(task)
    assert task.is_at_limit
    steer = reverse("steer_model_task", args=[project.public_id, task.public_id, "resume"])
    shown = manager.get(reverse("models", args=[project.public_id])).text
    assert "The limit of 0.50 EUR is nearly reached" in shown
    assert "Maximum cost in EUR" in shown
    manager.post(steer, {"most_cost": "0"})
    work(task)
    assert task.state == State.PAUSED
    manager.post(steer, {"most_cost": "9.5"})
    work(task)
    assert (task.state, task.most_cost) == (State.DONE, 9_500_000)


def test_the_command_resumes_a_task_at_its_limit_of_cost(project, priced):
    command = {"project": project.name, "model": "local:small", "wait": True}
    with pytest.raises(
        CommandError, match=r"^The limit of 0\.50 EUR is .* --resume --most-cost COST"
    ):
        call_command("judge_pairs", **command, most_cost=0.5)
    with pytest.raises(CommandError, match="Go on with it by --resume"):
        call_command("judge_pairs", **command)
    call_command("judge_pairs", **command, resume=True, most_cost=9.5)
    assert ModelTask.objects.get().state == State.DONE
    with pytest.raises(CommandError, match="leave out --resume"):
        call_command("judge_pairs", **command, resume=True)
