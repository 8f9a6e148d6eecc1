"""Limits of runs that ask models behind endpoints: given at the start, raised when resumed."""

import pytest

from generation.errors import AtLimit, BadLimit, MissingModel
from generation.models import GenerationRun, Queue
from generation.services import runs
from generation.services.runs import Action
from support import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("asks_models")]


def start(generator="local:small", **limits):
    settings = {"generator": generator}
    return runs.start(fake.corpus(5), method="word_swap", settings=settings, **limits)


def limits_of(run):
    run.refresh_from_db()
    return run.most_tokens, run.most_cost


def test_a_run_has_the_default_limit_of_tokens_and_waits_for_a_worker_that_asks_models():
    run = start("local:free")
    assert (limits_of(run), run.queue, run.usage) == ((5_000_000, None), Queue.ENDPOINT, {})


def test_the_operators_limit_is_the_default_where_it_is_lower():
    assert limits_of(start()) == (2_000_000, None)


def test_the_limit_of_cost_is_stored_in_millionths_of_the_currency():
    run = start(most_tokens=1_000, most_cost=1.25)
    assert limits_of(run) == (1_000, 1_250_000)
    assert run.usage == {"currency": "EUR"}


@pytest.mark.parametrize(
    ("generator", "limits", "reason"),
    [
        ("local:small", {"most_tokens": 2_000_001}, "between 1 and 2,000,000"),
        ("local:small", {"most_tokens": 0}, "between 1 and"),
        ("local:small", {"most_cost": 0.0}, "above 0"),
        ("local:free", {"most_cost": 1.0}, "no price"),
        ("embedded", {"most_tokens": 1}, "no model on another server"),
    ],
)
def test_impossible_limits_are_refused(generator, limits, reason):
    with pytest.raises(BadLimit, match=reason):
        start(generator, **limits)


def test_a_model_that_the_file_does_not_have_is_refused():
    with pytest.raises(MissingModel, match="no model local:large"):
        start("local:large")


@pytest.fixture
def at_limit():
    run = start(most_tokens=1_000)
    reason = GenerationRun.AT_LIMIT
    GenerationRun.objects.update(state="paused", paused_because=reason)
    return run


def test_a_run_at_its_limit_is_resumed_with_a_higher_one(at_limit):
    runs.steer(at_limit, Action.RESUME, most_tokens=3_000)
    assert limits_of(at_limit) == (3_000, None)
    assert (at_limit.state, at_limit.paused_because) == ("running", "")


def test_a_run_at_its_limit_is_not_resumed_without_a_higher_one(at_limit):
    with pytest.raises(AtLimit, match="a higher one"):
        runs.steer(at_limit, Action.RESUME, most_tokens=1_000)


def test_limits_change_only_when_a_run_is_resumed(at_limit):
    with pytest.raises(BadLimit, match="started or resumed"):
        runs.steer(at_limit, Action.CANCEL, most_tokens=3_000)
