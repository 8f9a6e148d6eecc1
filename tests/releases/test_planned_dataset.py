"""Licence, languages and authors of a dataset before its first release, on the study's settings."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from generation.models import Corpus
from releases.models import PlannedMetadata
from releases.services import drafts
from tests.annotation import make
from tests.annotation.pages import client_of, form_at, page

AUTHORS = {"authors-TOTAL_FORMS": "1", "authors-INITIAL_FORMS": "0"}


@pytest.fixture
def study(db):
    study = make.study()
    make.pairs(study, 1)
    Corpus.objects.update(licence="cc by-sa 4.0", language="en")
    return study


def save(study, **entered):
    manager, address = client_of(study), page("project_settings", study)
    return manager.post(address, form_at(manager, address) | AUTHORS | entered)


def drafted(study):
    """Return the forms of a first draft."""
    return client_of(study).get(page("draft_release", study)).context["declared"]


def test_the_first_draft_starts_with_what_was_planned(study):
    author = {"authors-0-name": "Lovelace, Ada"}
    save(study, licence="CC0-1.0", languages="German, en", **author)
    declared = drafted(study)
    assert declared.about["licence"].value() == "CC0-1.0"
    assert declared.about["languages"].value() == "German, English"
    assert declared.authors[0]["name"].value() == "Lovelace, Ada"


def test_the_licence_of_the_corpora_comes_first_and_stays_theirs(study):
    text = client_of(study).get(page("project_settings", study)).text
    assert text.index('value="CC-BY-SA-4.0" checked') < text.index('value="CC-BY-4.0"')
    assert "which asks for the same licence" in text
    save(study, licence="CC-BY-SA-4.0", languages="en", name="Towns")
    assert not PlannedMetadata.objects.exists()
    Corpus.objects.update(licence="CC-BY-4.0")
    assert drafted(study).about["licence"].value() == "CC-BY-4.0"


def test_saving_a_name_takes_at_most_twelve_statements(study):
    manager, address = client_of(study), page("project_settings", study)
    form = form_at(manager, address, name="Towns") | AUTHORS
    with CaptureQueriesContext(connection) as captured:
        assert manager.post(address, form).status_code == 302
    study.refresh_from_db()
    assert study.name == "Towns"
    assert len(captured) <= 12, [query["sql"] for query in captured]


def test_another_licence_is_found_by_what_people_write(study):
    save(study, licence="another", licence_text="cc by-nc 4.0")
    assert drafted(study).about["licence"].value() == "CC-BY-NC-4.0"


def test_an_unknown_licence_is_refused_beside_its_field(study):
    reply = save(study, licence="another", licence_text="CC BY-XX", name="Towns")
    assert reply.status_code == 422
    assert "“CC BY-XX” is no licence that we know." in reply.text
    study.refresh_from_db()
    assert study.name != "Towns"


def test_the_second_of_two_managers_who_plan_is_told(study):
    manager, address = client_of(study), page("project_settings", study)
    mine = form_at(manager, address, licence="CC0-1.0", name="Towns") | AUTHORS
    save(study, licence="CC-BY-4.0")
    reply = manager.post(address, mine)
    assert reply.status_code == 409
    assert reply.context["stale"] == {"The dataset": "CC-BY-4.0; English"}
    study.refresh_from_db()
    assert (study.name == "Towns", PlannedMetadata.objects.get().metadata) == (
        False,
        {"licence": "CC-BY-4.0"},
    )


def test_after_a_release_the_page_says_where_its_values_come_from(study):
    drafts.create_draft(study, version="1.0", dev=0, test=0, unlabeled_dev=0)
    text = client_of(study).get(page("project_settings", study)).text
    assert "starts with the licence, languages and authors of 1.0" in text
    assert 'name="licence"' not in text
