"""Corpora and runs over REST; who reads them is tested where studies are known."""

import pytest
from django.urls import reverse
from rest_framework.test import APIRequestFactory, force_authenticate

from accounts.models import User
from generation.api.corpora import CorpusList
from generation.api.runs import RunDetail, RunList
from generation.models import Corpus
from generation.services import worker
from tests.generation import fake


@pytest.mark.django_db
def test_runs_and_corpora_are_read_only_through_views_that_know_who_reads(client, backwards):
    root = User.objects.create_superuser("root")
    client.force_login(root)
    run = fake.run(fake.corpus(12, "Zoo"), fails_on="sentence number 7")
    worker.work_until_idle(run)
    row = client.get(reverse("api_run", args=[run.public_id])).json()
    settings = fake.DEFAULTS | {"fails_on": "sentence number 7"}
    assert (row["settings"], row["models"], row["seed"]) == (settings, fake.IDENTITIES, 7)
    progress = {"total": 12, "done": 7, "open_batches": 0, "parked_batches": 1}
    assert row["progress"].items() >= progress.items()
    assert row["outcomes"] == {"accepted": 5, "too_short": 2}
    [row] = client.get(reverse("api_runs")).json()["results"]
    counts = (row["sentences"], row["sentences_done"], row["batches_parked"])
    assert (row["id"], row["state"], counts) == (str(run.public_id), "done", (12, 7, 1))
    Corpus.objects.create(name="Ada & Bo", licence="CC0-1.0")
    rows = client.get(reverse("api_corpora")).json()["results"]
    facts = [(row["name"], row["licence"], row["sentences"]) for row in rows]
    assert facts == [("Zoo", "", 12), ("Ada & Bo", "CC0-1.0", 0)]
    request = APIRequestFactory().get("/")
    force_authenticate(request, root)
    for view in (CorpusList, RunList):
        assert view.as_view()(request).data == {"next": None, "results": []}
    assert RunDetail.as_view()(request, public_id=run.public_id).status_code == 404
