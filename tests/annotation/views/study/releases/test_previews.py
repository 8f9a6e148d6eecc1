"""What a draft would hold, on its page: until it is there, once it is, and when it is outdated."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Project, ReleasePreview
from annotation.services import releases
from tests.annotation import cast
from tests.annotation import judged as judging
from tests.annotation.views.study.releases.visiting import FIELDS, of_project, page, step

HTMX = {"HX-Request": "true"}


def asks_for_preview(text, draft):
    return f'hx-get="{page("preview_release", draft)}"' in text


def test_the_page_of_a_draft_asks_for_its_preview_until_it_is_there(manager, draft):
    text = manager.get(page("release", draft)).text
    assert asks_for_preview(text, draft)
    assert "It waits for a worker." in text
    assert "Load the page again" in text
    releases.preview_next()
    assert not asks_for_preview(manager.get(page("release", draft)).text, draft)


def test_who_waits_for_long_is_told_how_a_worker_is_started(manager, draft):
    command = "python manage.py worker"
    assert command not in manager.get(page("release", draft)).text
    ReleasePreview.objects.update(asked_at=timezone.now() - timedelta(seconds=20))
    assert command in manager.get(page("release", draft)).text


def test_the_preview_tells_how_far_its_worker_is(manager, draft):
    ReleasePreview.objects.update(state="under_way", step="reading", done=1200)
    text = manager.get(page("preview_release", draft), headers=HTMX).text
    assert "Step 1 of 2" in text
    assert "1,200 rows" in text
    assert asks_for_preview(text, draft)


@pytest.mark.parametrize("name", ["release", "preview_release"])
def test_the_preview_shows_counts_and_rows(researcher, draft, name):
    releases.preview_next()
    text = researcher.get(page(name, draft), headers=HTMX).text
    assert ("<html" in text) == (name == "release")
    assert "labeled_final/train.tsv" in text
    assert "Rewrite 0." in text
    assert "Nothing has changed since." in text


def test_the_part_with_the_preview_is_no_page(manager, draft):
    assert manager.get(page("preview_release", draft)).url == page("release", draft)


def test_whoever_waits_for_the_preview_of_what_is_no_draft_gets_its_page(manager, frozen):
    reply = manager.get(page("preview_release", frozen), headers=HTMX)
    assert reply.headers["HX-Refresh"] == "true"


def test_the_preview_says_what_cannot_be_built(manager, judged):
    draft = releases.draft(judged, version="1.0", dev=4000)
    releases.preview_next()
    text = manager.get(page("release", draft)).text
    assert "With these settings it cannot be built" in text
    assert "4000" in text


def test_the_preview_says_what_has_happened_since(manager, draft):
    releases.preview_next()
    cast.pairs(draft.project, 1)
    for _ in range(5):  # one after the other, and now
        cast.judge_all(cast.person(draft.project), 1)
    text = manager.get(page("release", draft)).text
    assert "1 pair was decided. 1 candidate came in." in text
    assert "Look at it anew" in text


def test_a_preview_of_other_settings_is_not_shown(manager, draft):
    releases.preview_next()
    Project.objects.update(consensus_min_votes=5)
    text = manager.get(page("release", draft)).text
    assert "The settings of the project have changed" in text
    assert "Rewrite 0." not in text


def test_a_preview_that_failed_says_why_and_is_tried_again(manager, draft):
    ReleasePreview.objects.update(state="failed", attempts=3, failure="MemoryError: too little")
    assert "MemoryError: too little" in manager.get(page("release", draft)).text
    assert step(manager, draft, "look").url == page("release", draft)
    assert releases.preview_next()


def test_researchers_ask_for_no_preview(researcher, draft):
    releases.preview_next()
    cast.pairs(draft.project, 1)
    assert "Look at it anew" not in researcher.get(page("release", draft)).text
    assert step(researcher, draft, "look").status_code == 404
    assert ReleasePreview.objects.get().state == "made"


@pytest.mark.parametrize("name", ["draft_release", "edit_release", "release_step"])
def test_a_worker_is_woken_for_a_preview(manager, draft, monkeypatch, name):
    woken = []
    monkeypatch.setattr("annotation.tasks.wake_previewers", lambda: woken.append(name))
    if name == "draft_release":
        manager.post(of_project(name, draft.project), FIELDS | {"version": "2.0"})
    elif name == "edit_release":
        manager.post(page(name, draft), FIELDS)
    else:
        step(manager, draft, "look")
    assert woken == [name]


def test_the_page_of_a_draft_asks_no_more_of_a_large_study(manager, project):
    people = judging.people(project, 5)
    asked = []
    for version, size in (("1", 10), ("2", 200)):
        judging.pairs(project, [[1, 1, 1, 1, 1]] * size, by=people)
        draft = releases.draft(project, version=version)
        releases.preview_next()
        with CaptureQueriesContext(connection) as statements:
            assert "labeled_final/train.tsv" in manager.get(page("release", draft)).text
        asked.append(len(statements))
    assert asked[0] == asked[1] <= 9
