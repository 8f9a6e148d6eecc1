"""Runs that ask models on other servers: limits, estimates and pauses for people to see."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.runs import services as project_runs
from generation import usage_figures
from generation.models import GenerationRun
from generation.services import worker
from support import fake
from support.workers import work_until_idle
from tests.annotation.filled import person
from tests.annotation.pages import page
from tests.annotation.rest import client_of
from tests.generation.conftest import asks_models  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("asks_models")]
USAGE = {"replies": 80, "reused": 20, "tokens_in": 600_000, "tokens_out": 400_000}
USAGE |= {"cost": 840_000, "currency": "EUR", "reported": ["small-1"]}


@pytest.fixture
def run(project):
    project_runs.adopt(project, run := fake.run(fake.corpus(12)))
    return run


def change(run, **columns):
    GenerationRun.objects.filter(pk=run.pk).update(**columns)


@pytest.fixture
def at_limit(run):
    change(run, state="paused", paused_because="limit", most_tokens=1_000_000, usage=USAGE)
    return run


def shown(client, project, run):
    return client.get(page("run", project, run.public_id))


def test_the_page_shows_what_a_run_uses(project, manager, run):
    change(run, usage=USAGE, most_cost=2_500_000)
    use = dict(shown(manager, project, run).context["use"])
    assert use["Tokens"] == "1,000,000 of 2,000,000"
    assert use["Cost"] == "0.84 EUR of 2.50 EUR"
    assert (use["Replies"], use["Reused replies"]) == ("80", "20")


def test_the_page_says_that_candidates_cannot_be_reproduced(project, manager, run):
    assert "cannot be reproduced" in shown(manager, project, run).text


def test_the_page_warns_of_two_models_under_one_name(project, manager, run):
    change(run, usage=USAGE | {"reported": ["small-1", "small-2"]})
    assert "more than one model or version: small-1, small-2." in shown(manager, project, run).text


def test_the_page_says_what_is_left_of_a_limit_that_the_next_request_may_exceed(
    project, manager, at_limit
):
    change(at_limit, most_tokens=1_004_000)
    text = "The limit of 1,004,000 tokens is nearly reached: the next request may need more than"
    assert f"{text} 4,000 tokens." in shown(manager, project, at_limit).text


@pytest.mark.parametrize(
    ("millionths", "shown_sum"),
    [(17_000, "0.017 EUR"), (4, "0.000004 EUR"), (999_900, "1.00 EUR"), (12_345_678, "12.35 EUR")],
)
def test_small_costs_have_two_significant_digits(millionths, shown_sum):
    assert usage_figures.amount(millionths, "EUR") == shown_sum


def test_a_run_at_its_limit_is_resumed_on_its_page_with_a_higher_one(project, manager, at_limit):
    text = "The limit of 1,000,000 tokens is reached. 0 of 12 sentences done."
    assert text in shown(manager, project, at_limit).text
    answer = {"action": "resume", "most_tokens": "1500000", "most_cost": ""}
    manager.post(page("steer_run", project, at_limit.public_id), answer)
    at_limit.refresh_from_db()
    assert (at_limit.state, at_limit.most_tokens) == ("running", 1_500_000)


def test_the_page_says_which_limit_is_too_low(project, manager, at_limit):
    answer = {"action": "resume", "most_tokens": "1000000"}
    reply = manager.post(page("steer_run", project, at_limit.public_id), answer, follow=True)
    assert "The limit is still reached. Resume with a higher one." in reply.text


def test_the_page_says_why_a_worker_paused_a_run(project, manager, run):
    change(run, state="paused", paused_because="local answered 401: its key may be wrong.")
    assert "local answered 401: its key may be wrong." in shown(manager, project, run).text


def test_the_page_says_when_a_silent_server_is_asked_again(project, manager, run):
    soon = timezone.now() + timedelta(minutes=2)
    reason = "local does not answer: the connection failed."
    change(run, waits_until=soon, silent_since=timezone.now(), paused_because=reason)
    text = shown(manager, project, run).text
    assert reason in text
    assert "Waiting for the server." in text
    assert "Workers ask again at" in text


def test_no_time_left_is_shown_while_workers_wait_for_a_server(project, manager, run):
    worker.step(run)
    change(run, created_at=timezone.now() - timedelta(minutes=1))
    assert shown(manager, project, run).context["left"]
    change(run, silent_since=timezone.now())
    assert shown(manager, project, run).context["left"] is None


def test_after_the_preview_measured_figures_stand_at_approve(project, manager):
    corpus = fake.corpus(40)
    project.runs.add(run := fake.runs.start(corpus, method="word_swap", preview=True))
    work_until_idle(run)
    # 80 replies of 10,000 tokens for 20 sentences, 20 of them paid before: 5 replies a sentence.
    change(run, usage=USAGE, most_tokens=1_500_000)
    text = shown(manager, project, run).text
    assert "About 100 replies with 1.2 million tokens, 1.05 EUR." in text
    assert "This exceeds the limit" in text


@pytest.fixture
def rest(project):
    return client_of(person("manager", project))


def test_a_run_is_started_with_limits_over_rest(project, rest, run):
    asked = {"project": str(project.public_id), "corpora": ["Tests"], "method": "word_swap"}
    reply = rest.post("/api/runs/", asked | {"most_tokens": 9_000, "most_cost": 0.5}, format="json")
    assert reply.status_code == 201, reply.json()
    [started] = reply.json()["runs"]
    assert (started["most_tokens"], started["most_cost"]) == (9_000, 0.5)
    assert (started["usage"]["currency"], started["repeatable"]) == ("EUR", False)


def test_a_run_at_its_limit_says_so_over_rest(rest, at_limit):
    row = rest.get(f"/api/runs/{at_limit.public_id}/").json()
    assert row["paused_because"].startswith("The limit of 1,000,000 tokens is reached")
    assert (row["usage"]["cost"], row["usage"]["replies"]) == (0.84, 80)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"most_tokens": 1_500_000}, 200),
        ({}, 409),
        ({"most_tokens": 10**9}, 400),
        ({"most": 1}, 400),
    ],
)
def test_over_rest_a_run_at_its_limit_is_resumed_with_a_higher_one(rest, at_limit, body, status):
    reply = rest.post(f"/api/runs/{at_limit.public_id}/resume/", body, format="json")
    assert reply.status_code == status


def generate(*options):
    output = StringIO()
    call_command("generate", *options, stdout=output)
    return output.getvalue()


def test_the_command_estimates_without_starting_a_run():
    fake.corpus(300)
    # Two requests a sentence: 9 or 10 tokens there, and 6 or 7 back.
    printed = generate("--corpus=Tests", "--estimate")
    assert printed.startswith("Tests, 300 sentences: About 600 replies with 9,000 tokens")
    assert not GenerationRun.objects.exists()


def test_the_command_resumes_a_run_with_a_higher_limit(at_limit):
    generate("--resume", str(at_limit.pk), "--most-tokens=1500000")
    at_limit.refresh_from_db()
    assert (at_limit.state, at_limit.most_tokens) == ("running", 1_500_000)


def test_the_command_says_that_a_limit_is_too_low(at_limit):
    with pytest.raises(CommandError, match="a higher one"):
        generate("--resume", str(at_limit.pk))


@pytest.mark.parametrize(
    ("method", "options", "replies"),
    [
        # One request there and one back.
        ("back_translation", ["forward=local:small", "backward=local:small", "k=1"], 600),
        ("translation", ["forward=local:small", "language=pt"], 300),
    ],
)
def test_the_command_estimates_what_translators_are_asked(method, options, replies):
    fake.corpus(300)
    changes = [f"--set={option}" for option in options]
    printed = generate("--corpus=Tests", "--estimate", f"--method={method}", *changes)
    assert printed.startswith(f"Tests, 300 sentences: About {replies} replies with ")


def test_the_command_names_the_limit_that_is_reached(run, monkeypatch):
    def reach_limit(run):
        change(run, state="paused", paused_because="limit", usage=USAGE, most_cost=840_000)

    monkeypatch.setattr(worker, "step", reach_limit)
    with pytest.raises(CommandError, match=r"limit of 0\.84 EUR is reached.* --most-cost COST"):
        generate("--resume", str(run.pk), "--wait")
