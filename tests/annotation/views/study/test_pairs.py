"""The table of pairs."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Intervention, Judgment, Membership, SentencePair
from annotation.selectors.dashboard import pairs as selector
from tests.annotation import cast, judged


@pytest.fixture
def manager(project) -> Client:
    client = Client()
    client.force_login(cast.person(project, role=Membership.Role.MANAGER).user)
    return client


@pytest.fixture
def judges(project) -> list[Membership]:
    return judged.people(project, 5)


@pytest.fixture
def table(project) -> str:
    return reverse("pairs", args=[project.public_id])


def listed(reply) -> list[SentencePair]:
    return [line.pair for line in reply.context["lines"]]


def test_the_closest_votes_come_first_and_what_is_undecided_last(manager, table, project, judges):
    votes = [[1] * 5, [1, 1], [0, 0, 0, 0, 1], [1, 1, 1, 0, 0], [0, 0, 0, 1, 1]]
    sure, undecided, near, close, as_close = judged.pairs(project, votes, by=judges)
    assert listed(manager.get(table)) == [close, as_close, near, sure, undecided]


def test_grades_are_close_by_the_sides_that_they_are_on(manager):
    project = cast.study(protocol="parade")
    client = Client()
    client.force_login(cast.person(project, role=Membership.Role.MANAGER).user)
    three = judged.people(project, 3)
    far, close = judged.pairs(project, [[3, 3, 2], [2, 1, 0]], by=three)
    reply = client.get(reverse("pairs", args=[project.public_id]))
    assert listed(reply) == [close, far]


def test_each_answer_stands_with_its_person(manager, table, project, judges):
    judged.pairs(project, [[1, 0, 1, 1, 1]], by=judges)
    [line] = manager.get(table).context["lines"]
    said = {each.answer: each.people for each in line.voices}
    names = [str(judge.user) for judge in judges]
    assert said == {"Same meaning": [names[0], *names[2:]], "Different meaning": [names[1]]}
    assert line.missing == 0


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"state": "decided"}, [0, 1, 2]),
        ({"state": "undecided"}, [3, 4]),
        ({"state": "kept"}, [1, 2]),
        ({"state": "not_kept"}, [0]),
        ({"state": "set_aside"}, [4]),
        ({"state": "first"}, [3]),
        ({"label": "paraphrase"}, [1, 0]),
        ({"label": "different"}, [2]),
        ({"label": "tie"}, []),
        ({"correction": "none"}, [0, 1, 2, 3, 4]),
        ({"correction": "fixed"}, []),
        ({"method": "back_translation"}, [0, 1, 2, 3, 4]),
        ({"method": "word_swap"}, []),
        ({"hidden": "on"}, [5]),
        ({"state": "kept", "label": "paraphrase"}, [1]),
    ],
)
def test_filters_leave_what_was_asked_for(manager, table, project, judges, query, expected):
    votes = [[1, 1, 1, 0, 0], [1] * 5, [0] * 5, [1], [1], [1]]
    made = judged.pairs(project, votes, by=judges)
    project.pairs.filter(pk=made[3].pk).update(priority=1)
    project.pairs.filter(pk=made[4].pk).update(set_aside_at=timezone.now())
    project.pairs.filter(pk=made[5].pk).update(known_label=1)
    reply = manager.get(table, query)
    assert set(listed(reply)) == {made[number] for number in expected}
    assert reply.context["number"] == len(expected)


def test_pairs_are_found_by_words_of_either_sentence_and_by_their_id(manager, table, project):
    cast.candidates(project, [("Ada met Bo.", "Bo met ADA twice.")], method="back_translation")
    cast.pairs(project, 3)
    wanted = project.pairs.earliest("pk")
    for words in ("twice", "met ada", str(wanted.public_id), f" {wanted.public_id} "):
        assert listed(manager.get(table, {"words": words})) == [wanted]
    assert listed(manager.get(table, {"words": "ada never"})) == []


@pytest.mark.parametrize(
    "query",
    [
        {"state": "password"},
        {"order": "candidate__run__settings"},
        {"method": "magic"},
        {"words": "x" * 101},
        {"after": "1'; DROP"},
        {"after": "9" * 30},
    ],
)
def test_what_cannot_be_asked_for_is_no_list(manager, table, project, query):
    cast.pairs(project, 1)
    reply = manager.get(table, query)
    assert reply.status_code == 400
    assert "lines" not in reply.context


@pytest.mark.parametrize("order", ["disagreement", "newest", "oldest"])
def test_pages_lead_through_all_pairs_and_back(manager, table, project, judges, order, monkeypatch):
    monkeypatch.setattr(selector, "PAGE", 2)
    monkeypatch.setattr(selector.page, "__kwdefaults__", selector.page.__kwdefaults__ | {"size": 2})
    votes = [[1, 1, 1, 0, 0], [1] * 5, [0] * 5, [1], [1, 1, 0, 0, 0]]
    made = judged.pairs(project, votes, by=judges)
    reply, seen, pages = manager.get(table, {"order": order, "state": ""}), [], []
    while True:
        pages.append(listed(reply))
        seen += pages[-1]
        if not reply.context["links"].after:
            break
        reply = manager.get(table + reply.context["links"].after)
    assert len(seen) == len(made)
    assert set(seen) == set(made)
    back = manager.get(table + reply.context["links"].before)
    assert listed(back) == pages[-2]
    first = manager.get(table + back.context["links"].first)
    assert listed(first) == pages[0]
    assert not first.context["links"].before


def test_an_answer_that_is_held_out_is_on_no_side(manager, table, project, judges):
    [pair] = judged.pairs(project, [[1, 0]], by=judges)
    why = Intervention.objects.create(
        membership=judges[1], kind="hold_out", reason="Clicked through."
    )
    Judgment.objects.filter(pair=pair, annotator=judges[1].user).update(held_out=why)
    [line] = manager.get(table).context["lines"]
    assert (len(line.voices), line.missing) == (1, 4)


def test_a_study_without_pairs_says_where_they_come_from(manager, table, project):
    text = manager.get(table).text
    assert "There is no pair yet." in text
    assert reverse("overview", args=[project.public_id]) in text


def test_filters_that_leave_nothing_lead_back_to_all_pairs(manager, table, project):
    cast.pairs(project, 1)
    text = manager.get(table, {"state": "kept"}).text
    assert "No pair is as you asked." in text
    assert f'<a href="{table}">All pairs</a>' in text


@pytest.mark.parametrize("people", [5, 40])
def test_statements_do_not_grow_with_pairs_or_people(
    manager, table, project, people, django_assert_num_queries
):
    judged.pairs(project, [[1] * 5] * people, by=judged.people(project, 5))
    manager.get(table)
    with django_assert_num_queries(5):
        manager.get(table)
