"""Corpora and runs over REST; who reads them is tested where studies are known."""

import pytest
from django.urls import reverse
from rest_framework.test import APIClient, APIRequestFactory, force_authenticate

from accounts.models import User
from generation.api.corpora import CorpusList
from generation.api.runs import RunDetail, RunList
from generation.models import Corpus
from generation.services import worker
from tests.generation import fake

pytestmark = pytest.mark.django_db


def test_runs_and_corpora_are_read_whole_and_only_through_views_that_know_who_reads(backwards):
    root, client = User.objects.create_superuser("root"), APIClient()
    client.force_authenticate(root)
    run = fake.run(fake.corpus(12, "Zoo"), fails_on="sentence number 7")
    worker.work_until_idle(run)
    row = client.get(reverse("api_run", args=[run.public_id])).json()
    settings = fake.DEFAULTS | {"fails_on": "sentence number 7"}
    assert (row["settings"], row["models"]) == (settings, fake.IDENTITIES)
    assert (row["seed"], row["method"], row["corpus"]) == (7, "word_swap", "Zoo")
    progress = {"total": 12, "done": 7, "open_batches": 0, "parked_batches": 1}
    assert row["progress"].items() >= progress.items()
    assert row["outcomes"] == {"accepted": 5, "too_short": 2}
    [row] = client.get(reverse("api_runs")).json()["results"]
    counts = (row["sentences"], row["sentences_done"], row["batches_parked"])
    assert (row["id"], row["state"], counts) == (str(run.public_id), "done", (12, 7, 1))
    Corpus.objects.create(name="Ada & Bo", licence="CC0-1.0")
    first = client.get(reverse("api_corpora"), {"limit": 1}).json()
    second = client.get(first["next"]).json()
    rows = [
        (row["name"], row["licence"], row["sentences"])
        for row in first["results"] + second["results"]
    ]
    assert rows == [("Zoo", "", 12), ("Ada & Bo", "CC0-1.0", 0)]
    assert second["next"] is None
    request = APIRequestFactory().get("/")
    force_authenticate(request, root)
    for view in (CorpusList, RunList):
        assert view.as_view()(request).data == {"next": None, "results": []}
    assert RunDetail.as_view()(request, public_id=run.public_id).status_code == 404
