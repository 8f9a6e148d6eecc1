"""Views of the list of pairs, saved ones too, and the numbers beside the options of filters."""

import pytest

from annotation.models import Membership, SavedView
from annotation.projects.services import saved_views
from generation.models import Candidate
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, signed_in, statements

pytestmark = pytest.mark.django_db
VOTES = [[1, 1, 1, 0, 0], [1] * 5, [0] * 5, [1]]


@pytest.fixture
def pairs(project):
    """Of one kind of change each: two that swap names, then nouns, then one of an import."""
    pairs = judged.pairs(project, VOTES, by=judged.people(project, 5))
    for pair, kind in zip(pairs, ["name", "name", "noun", "odd"], strict=True):
        Candidate.objects.filter(pk=pair.candidate_id).update(kind=kind)
    return pairs


@pytest.fixture
def manager(project, pairs):
    return client_of(project)


def save(manager, project, name, query):
    sent = {"name": name, "query": query}
    reply = manager.post(page("save_view", project), sent, follow=True)
    return [str(message) for message in reply.context["messages"]] if reply.context else []


def views(reply):
    return {str(view.name): view.number for view in reply.context["views"]}


def numbers(reply):
    return {option.value: option.number for option in reply.context["pick"].options}


def test_each_view_says_how_many_pairs_it_has(project, manager):
    expected = {"All": 4, "Too few agree": 1, "In progress": 1, "Judge first": 0, "Excluded": 0}
    reply = manager.get(page("pairs", project), {"change": "noun"})
    assert views(reply) == expected
    assert "1 of 4 pairs" in reply.text


def test_a_saved_view_is_opened_by_its_readers(project, manager):
    save(
        manager, project, "Names, decided", "state=decided&change=name&after=1_2&order=disagreement"
    )
    view = SavedView.objects.get()
    assert view.query == "change=name&state=decided"
    researcher = make.person(project, role=Membership.Role.RESEARCHER).user
    reply = signed_in(researcher).get(f"{page('pairs', project)}?{view.query}")
    assert views(reply)["Names, decided"] == 2
    assert [view.name for view in reply.context["views"] if view.is_current] == ["Names, decided"]
    assert "Rename or delete" not in reply.text


def test_numbers_of_views_cost_no_further_statement(project, manager):
    manager.get(page("pairs", project))  # the rail remembers what it looked up
    before = statements(manager, page("pairs", project))
    for number in range(3):
        save(manager, project, f"View {number}", f"words={number}")
    assert statements(manager, page("pairs", project)) == before


@pytest.mark.parametrize("query", ["state=odd", "change=unheard", f"words={'x' * 101}"])
def test_a_bad_query_is_not_saved(project, manager, query):
    sent = {"name": "Bad", "query": query}
    assert manager.post(page("save_view", project), sent).status_code == 400
    assert not SavedView.objects.exists()


def test_a_saved_query_that_has_become_bad_is_refused_when_opened(project, manager):
    by = make.person(project, role="manager").user
    saved_views.save(project, page="pairs", name="Old", query="state=gone", by=by)
    assert views(manager.get(page("pairs", project)))["Old"] is None
    reply = manager.get(page("pairs", project) + "?state=gone")
    assert (reply.status_code, "Rename or delete" in reply.text) == (400, True)


def test_names_of_views_are_unique(project, manager):
    assert save(manager, project, "Swaps", "change=name") == []
    assert save(manager, project, "Swaps", "change=noun") == ["Another view has this name."]
    assert save(manager, project, "Nouns", "change=noun") == []
    view = SavedView.objects.get(name="Nouns")
    address = page("change_view", project, view.pk)
    reply = manager.post(address, {"name": "Swaps"}, follow=True)
    assert "Another view has this name." in reply.text
    manager.post(address, {"name": "Nouns alone"})
    assert SavedView.objects.get(pk=view.pk).name == "Nouns alone"


def test_a_list_has_20_saved_views_at_most(project, manager):
    for number in range(20):
        save(manager, project, str(number), "change=name")
    assert save(manager, project, "20", "") == ["There are 20 views. Delete one first."]
    manager.post(page("change_view", project, SavedView.objects.first().pk), {"act": "delete"})
    assert SavedView.objects.count() == 19


def test_views_of_answers_belong_to_their_kind_of_work(project, manager):
    make.candidates(project, [("S sees.", "Sees s.")])
    sent = {"name": "To correct", "kind": "correct", "query": "state=waiting"}
    reply = manager.post(page("save_view", project), sent, follow=True)
    assert views(reply) == {"All": 1, "Waiting": 1, "Excluded": 0, "To correct": 1}
    for other in (page("answers", project, "judge"), page("pairs", project)):
        assert "To correct" not in views(manager.get(other))


@pytest.mark.parametrize(
    ("facet", "query", "expected"),
    [
        ("change", {}, {"": 4, "name": 2, "noun": 1, "odd": 1}),
        ("change", {"change": "name", "state": "decided"}, {"": 3, "name": 2, "noun": 1}),
        ("label", {"change": "name"}, {"": 2, "1": 2}),
        ("state", {"label": "0"}, {"": 1, "decided": 1, "kept": 1}),
        ("hidden", {}, {"": 4}),
    ],
)
def test_options_have_the_number_of_pairs_that_they_leave(project, manager, facet, query, expected):
    reply = manager.get(page("pairs", project), {**query, "facet": facet})
    assert numbers(reply) == expected


def test_a_kind_of_change_of_imported_pairs_is_an_option(project, pairs, manager):
    reply = manager.get(page("pairs", project), {"change": "odd"})
    assert [row.item for row in reply.context["rows"]] == [pairs[3]]
    assert manager.get(page("pairs", project), {"change": "odder"}).status_code == 400
    assert manager.get(page("pairs", project), {"facet": "order"}).status_code == 400


def test_all_that_match_are_excluded_if_their_number_is_still_true(project, manager):
    sent = {"act": "exclude", "all": "on", "list": page("pairs", project) + "?change=name"}
    assert "Exclude 2 items?" in manager.post(page("change_pairs", project), sent).text
    sent |= {"confirmed": "on", "reason": "private"}
    reply = manager.post(page("change_pairs", project), sent | {"number": "3"})
    assert "The number of items has changed." in reply.text
    reply = manager.post(page("change_pairs", project), sent | {"number": "2"}, follow=True)
    assert "2 items excluded." in reply.text
    assert project.pairs.filter(excluded_by__isnull=False).count() == 2
