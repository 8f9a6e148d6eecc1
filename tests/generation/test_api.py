"""Corpora and runs over REST; who reads them is tested where studies are known."""

import pytest
from django.urls import reverse
from rest_framework.test import APIClient, APIRequestFactory, force_authenticate

from accounts.models import User
from generation.api.corpora import CorpusList
from generation.api.runs import RunDetail, RunList
from generation.models import Batch, Corpus, GenerationRun, Sentence
from generation.services.sentences import digest_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def root() -> APIClient:
    client = APIClient()
    client.force_authenticate(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def run() -> GenerationRun:
    """A run with a finished, an open and a parked batch."""
    corpus = Corpus.objects.create(name="Tests", licence="CC0-1.0")
    run = GenerationRun.objects.create(
        corpus=corpus,
        method="word_swap",
        settings={"beam": 100},
        model_identities={"tagger": {"name": "small"}},
        seed=7,
    )
    states = (Batch.State.DONE, Batch.State.OPEN, Batch.State.PARKED)
    for number, state in enumerate(states):
        done = state == Batch.State.DONE
        Batch.objects.create(
            run=run,
            number=number,
            first_sentence=1,
            last_sentence=9,
            size=10,
            state=state,
            outcomes={"accepted": 8, "too short": 2} if done else {},
            finished_at=run.created_at if done else None,
        )
    return run


def test_a_run_is_told_with_all_that_repeats_it(root: APIClient, run: GenerationRun) -> None:
    told = root.get(reverse("api_run", args=[run.public_id])).json()

    assert told["settings"] == {"beam": 100}
    assert told["models"] == {"tagger": {"name": "small"}}
    assert (told["seed"], told["method"], told["corpus"]) == (7, "word_swap", "Tests")


def test_a_run_is_told_with_its_progress_and_outcomes(root: APIClient, run: GenerationRun) -> None:
    told = root.get(reverse("api_run", args=[run.public_id])).json()

    progress = told["progress"]
    assert (progress["total"], progress["done"]) == (30, 10)
    assert (progress["open_batches"], progress["parked_batches"]) == (1, 1)
    assert told["outcomes"] == {"accepted": 8, "too short": 2}


def test_runs_are_listed_with_their_counts(root: APIClient, run: GenerationRun) -> None:
    row = root.get(reverse("api_runs")).json()["results"][0]

    counts = (row["sentences"], row["sentences_done"], row["batches_parked"])
    assert (row["id"], row["state"], counts) == (str(run.public_id), "running", (30, 10, 1))


def test_a_corpus_counts_the_sentences_that_came_with_it(root: APIClient) -> None:
    corpus = Corpus.objects.create(name="Tests", licence="CC0-1.0")
    Sentence.objects.create(corpus=corpus, text="One.", digest=digest_of("One."))

    row = root.get(reverse("api_corpora")).json()["results"][0]

    assert (row["name"], row["licence"], row["sentences"]) == ("Tests", "CC0-1.0", 1)


def test_corpora_go_on_after_a_name(root: APIClient) -> None:
    for name in ("Zoo", "Ada & Bo"):
        Corpus.objects.create(name=name)

    first = root.get(reverse("api_corpora"), {"limit": 1}).json()
    second = root.get(first["next"]).json()

    assert [row["name"] for row in first["results"] + second["results"]] == ["Zoo", "Ada & Bo"]
    assert second["next"] is None


@pytest.mark.parametrize("view", [CorpusList, RunList, RunDetail])
def test_nothing_is_readable_until_somebody_says_what_is(
    view: type[RunDetail], run: GenerationRun
) -> None:
    request = APIRequestFactory().get("/")
    force_authenticate(request, User.objects.create_superuser("root"))
    named = {"public_id": run.public_id} if view is RunDetail else {}

    response = view.as_view()(request, **named)

    assert response.status_code == 404 or response.data == {"next": None, "results": []}
