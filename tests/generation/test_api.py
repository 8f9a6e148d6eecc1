"""Corpora and runs over REST; who reads them is tested where studies are known."""

import pytest
from django.urls import reverse
from rest_framework.test import APIClient, APIRequestFactory, force_authenticate

from accounts.models import User
from generation.api.corpora import CorpusList
from generation.api.runs import RunDetail, RunList
from generation.models import Corpus, GenerationRun
from generation.services import worker
from tests.generation import fake

pytestmark = pytest.mark.django_db


@pytest.fixture
def root():
    return User.objects.create_superuser("root")


@pytest.fixture
def client(root):
    client = APIClient()
    client.force_authenticate(root)
    return client


@pytest.fixture
def run(backwards):
    """A run with a finished, an open and a parked batch."""
    run = fake.run(fake.corpus(12), fails_on="sentence number 7")
    worker.work_until_idle(run)
    run.batches.filter(number=3).update(state="open", outcomes={}, finished_at=None)
    GenerationRun.objects.update(state="running")
    return run


def test_a_run_is_read_with_all_that_repeats_it_its_progress_and_its_outcomes(client, run):
    row = client.get(reverse("api_run", args=[run.public_id])).json()
    settings = fake.DEFAULTS | {"fails_on": "sentence number 7"}
    assert (row["settings"], row["models"]) == (settings, fake.IDENTITIES)
    assert (row["seed"], row["method"], row["corpus"]) == (7, "word_swap", "Tests")
    progress = {"total": 12, "done": 5, "open_batches": 1, "parked_batches": 1}
    assert row["progress"].items() >= progress.items()
    assert row["outcomes"] == {"accepted": 4, "too_short": 1}
    [row] = client.get(reverse("api_runs")).json()["results"]
    counts = (row["sentences"], row["sentences_done"], row["batches_parked"])
    assert (row["id"], row["state"], counts) == (str(run.public_id), "running", (12, 5, 1))


def test_corpora_are_listed_page_by_page_with_the_number_of_their_sources(client):
    fake.corpus(2, "Zoo")
    Corpus.objects.create(name="Ada & Bo", licence="CC0-1.0")
    first = client.get(reverse("api_corpora"), {"limit": 1}).json()
    second = client.get(first["next"]).json()
    rows = [
        (row["name"], row["licence"], row["sentences"])
        for row in first["results"] + second["results"]
    ]
    assert rows == [("Zoo", "", 2), ("Ada & Bo", "CC0-1.0", 0)]
    assert second["next"] is None


def test_nothing_is_readable_by_the_generic_views_which_know_no_readers(root, run):
    request = APIRequestFactory().get("/")
    force_authenticate(request, root)
    for view in (CorpusList, RunList):
        assert view.as_view()(request).data == {"next": None, "results": []}
    assert RunDetail.as_view()(request, public_id=run.public_id).status_code == 404
