"""The page Predictions: pairs with what each model says of them, filtered and downloaded."""

import csv
import io

import pytest

from evaluation import predictions_page, services
from evaluation.selectors import companion_of
from tests.annotation.pages import signed_in
from tests.evaluation.asking import address, evaluated, theirs


@pytest.fixture
def client(release, manager):
    """A browser of the manager, after an evaluation with never and overlap, and other labels."""
    evaluated(release)
    sent = theirs(release, label="1")
    content = sent.pop("file").read().encode()
    services.bring(release, content=content, replaces=False, by=None, **sent)
    return signed_in(manager)


def shown(client, release, query=""):
    return client.get(address("predictions", release) + query)


def rows(client, release, query):
    reply = shown(client, release, f"{query}&download=on")
    text = b"".join(reply).decode().removeprefix("\ufeff")
    return [*csv.DictReader(io.StringIO(text))]


def test_each_pair_has_what_each_model_says_of_it(client, release):
    reply = shown(client, release)
    found = reply.context["pair_rows"]
    assert len(found) == reply.context["number"] == 10
    assert found[0].chips[0].text.startswith("overlap 0.")
    assert found[0].chips[1].text == "Theirs 1.00, wrong"
    wrong = [row for row in found if row.chips[1].colour == "red"]
    assert {row.answer for row in wrong} == {"different"}
    assert len(wrong) == 5


def test_only_the_chosen_models_are_shown(client, release):
    found = rows(client, release, "?models=never&models=Theirs")
    assert [*found[0]][6:] == ["never", "Theirs"]


def test_pairs_on_which_one_model_alone_is_right(client, release):
    query = "?models=never&models=Theirs&pick=only-right:Theirs"
    found = rows(client, release, query)
    # Half of train are paraphrases, so that never scores 0.5, which says none.
    assert {row["label"] for row in found} == {"1"}
    assert len(found) == 5


def test_the_next_page_keeps_all_chosen_models(client, release, monkeypatch):
    monkeypatch.setattr(predictions_page, "SIZE", 4)
    query = "?models=never&models=Theirs"
    first = shown(client, release, query)
    assert first.context["links"].after == f"{query}&after=4"
    second = shown(client, release, first.context["links"].after)
    assert [len(page.context["pair_rows"]) for page in (first, second)] == [4, 4]
    assert second.context["links"].before == f"{query}&before=4"
    ids = [str(row.sentences) for page in (first, second) for row in page.context["pair_rows"]]
    assert len({*ids}) == 8


@pytest.mark.parametrize("query", ["?models=esim", "?pick=worst", "?set=train", "?after=x"])
def test_filters_that_there_are_not_are_refused(client, release, query):
    assert shown(client, release, query).status_code == 400


def test_models_that_cannot_be_compared_are_refused_in_words_of_the_page(client, release):
    reply = shown(client, release, "?models=never&pick=differ")
    assert reply.status_code == 400
    assert "Choose two models or more." in reply.text


def test_a_release_without_predictions_says_where_they_come_from(release, manager):
    reply = shown(signed_in(manager), release)
    assert "No model has scored the pairs of this release yet." in reply.text


def test_a_missing_file_is_named(client, release):
    for path in (companion_of(release) / "predictions").iterdir():
        path.unlink()
    assert "Evaluate the release again" in shown(client, release).text
