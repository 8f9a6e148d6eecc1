"""The overview: where the study stands, in its own numbers, and what needs somebody now."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import Intervention, Membership, Release
from tests.annotation import cast, judged


@pytest.fixture
def manager(project) -> Client:
    client = Client()
    client.force_login(cast.person(project, role=Membership.Role.MANAGER).user)
    return client


@pytest.fixture
def overview(manager, project):
    return lambda: manager.get(reverse("overview", args=[project.public_id]))


@pytest.fixture
def judges(project) -> list[Membership]:
    return judged.people(project, 5)


def numbers(reply) -> dict[str, float | None]:
    """The last column of Table 3, which is that of all methods, by the names of the lines."""
    rows = reply.context["table3"]
    return {row.line.figure: row.cells[-1].number for row in rows if row.cells}


def alerts(reply) -> list[str]:
    return [alert.text for alert in reply.context["alerts"]]


def test_corrections_are_counted_by_action(overview, project):
    cast.candidates(project, [(f"S{n} sees.", f"Sees s{n}.") for n in range(4)])
    bob = cast.person(project)
    cast.correct_next(bob, "accept")
    cast.correct_next(bob, "fix", "Something else.")
    cast.correct_next(bob, "reject")
    found = numbers(overview())
    assert found["candidates"] == 4
    assert [found[name] for name in ("accepted", "fixed", "rejected", "waiting")] == [1, 1, 1, 1]


def test_pairs_are_counted_until_they_are_kept(overview, project, judges):
    judged.pairs(project, [[1] * 5, [0, 0, 0, 0, 1], [1, 1, 1, 0, 0], [1, 1]], by=judges)
    found = numbers(overview())
    assert (found["pairs"], found["judged.total"], found["kept.total"]) == (4, 3, 2)
    assert (found["judged.paraphrase"], found["judged.non_paraphrase"]) == (2, 1)


def test_agreement_is_that_of_the_paper(overview, project, judges):
    judged.pairs(project, [[1, 1, 1, 1, 0]], by=judges)
    reply = overview()
    assert reply.context["agreement"].value == pytest.approx(0.8)
    assert "80.0\N{NO-BREAK SPACE}%" in reply.text


def test_methods_have_columns_of_their_own(overview, project, judges):
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    judged.pairs(project, [[1] * 5], by=judges)
    reply = overview()
    assert [column.method for column in reply.context["columns"]] == [
        "word_swap",
        "back_translation",
        "",
    ]
    assert numbers(reply)["candidates"] == 2


def test_hidden_pairs_are_in_no_figure(overview, project, judges):
    known, _ = judged.pairs(project, [[1, 1], [1] * 5], by=judges)
    project.pairs.filter(pk=known.pk).update(known_label=1)
    reply = overview()
    found = numbers(reply)
    assert (found["candidates"], found["pairs"], found["judged.total"]) == (1, 1, 1)
    assert sum(each.answers for each in reply.context["timeline"].stretches) == 5


def test_each_number_leads_to_the_list_that_it_counts(manager, overview, project, judges):
    cast.candidates(project, [(f"S{n} sees.", f"Sees s{n}.") for n in range(7)])
    for action in ("accept", "fix", "fix", "reject", "reject", "reject"):
        cast.correct_next(cast.person(project), action, "Other." if action == "fix" else "")
    votes = [[1] * 5, [0] * 5, [0, 0, 0, 0, 1], [1, 1, 0, 0, 0], [1, 1]]
    judged.pairs(project, votes, by=judges)
    cells = [cell for row in overview().context["table3"] for cell in row.cells if cell.address]
    listed = [manager.get(cell.address).context["number"] for cell in cells]
    assert listed == [cell.number for cell in cells]
    assert len(cells) > 15


def test_the_kept_paraphrases_lead_to_their_list_too(manager, overview, project, judges):
    judged.pairs(project, [[1] * 5, [1] * 5, [0] * 5, [1, 1, 1, 0, 0]], by=judges)
    [row] = overview().context["balance"]
    assert (row.of.paraphrases, row.of.pairs) == (2, 3)
    assert manager.get(row.address).context["number"] == 2


@pytest.mark.parametrize(
    ("kind", "state", "text"),
    [("flag", "flagged", "1 person is flagged."), ("pause", "paused", "1 person is paused.")],
)
def test_people_in_trouble_are_one_click_away(
    manager, overview, project, judges, kind, state, text
):
    Intervention.objects.create(membership=judges[0], kind=kind, reason="Too fast.")
    if kind == "pause":
        Membership.objects.filter(pk=judges[0].pk).update(paused_at=timezone.now())
    [alert] = [each for each in overview().context["alerts"] if each.text == text]
    lines = manager.get(alert.address).context["lines"]
    assert [line.person.user for line in lines] == [judges[0].user]
    assert state in alert.address


def test_items_that_are_set_aside_are_one_click_away(manager, overview, project, judges):
    [pair] = judged.pairs(project, [[1]], by=judges)
    project.pairs.update(set_aside_at=timezone.now())
    [alert] = [each for each in overview().context["alerts"] if "set aside" in each.text]
    aside = manager.get(alert.address).context["aside"]
    assert [each.item for each in aside] == [pair]


def test_too_few_people_are_told_of_while_pairs_wait(overview, project):
    assert alerts(overview()) == []
    cast.pairs(project, 1)
    assert alerts(overview()) == ["Only 1 person can judge now, and each pair needs 5."]


def test_a_closed_project_says_so_first(overview, project):
    cast.pairs(project, 1)
    project.is_open = False
    project.save()
    assert alerts(overview()) == ["The project is closed: nobody is given any work."]


def test_a_study_without_correctors_says_so(overview, project):
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    Membership.objects.filter(project=project).update(may_correct=False)
    assert "1 candidate waits for correction, and nobody can correct." in alerts(overview())


def test_a_new_project_says_what_to_do_next(overview):
    text = overview().text
    for step in ("Bring sentences", "Start a run", "Invite people"):
        assert step in text
    assert "No release has been built yet." in text


def test_steps_that_are_done_are_ticked_off(overview, project):
    assert overview().context["beginning"].has_candidates is False
    cast.pairs(project, 1)
    beginning = overview().context["beginning"]
    assert beginning.has_runs
    assert beginning.has_candidates
    assert not beginning.has_people


def test_a_study_that_is_under_way_needs_no_beginning(overview, project, judges):
    judged.pairs(project, [[1]], by=judges)
    assert "beginning" not in overview().context


@pytest.mark.parametrize(("state", "said"), [("draft", "draft"), ("failed", "could not be built")])
def test_releases_are_listed_with_their_state(overview, project, state, said):
    Release.objects.create(project=project, version="1.0-rc", seed=1, settings={}, state=state)
    text = overview().text
    assert "1.0-rc" in text
    assert said in text


def test_the_first_kept_pair_lets_managers_draft_a_release(overview, project, judges):
    draft = reverse("draft_release", args=[project.public_id])
    judged.pairs(project, [[1, 1, 1, 0, 0]], by=judges)
    assert draft not in overview().text
    judged.pairs(project, [[1] * 5], by=judges)
    assert draft in overview().text
    Release.objects.create(project=project, version="1.0", seed=1, settings={})
    assert draft not in overview().text


def test_researchers_find_no_link_that_would_refuse_them(project):
    cast.pairs(project, 1)
    project.is_open = False
    project.save()
    client = Client()
    client.force_login(cast.person(project, role=Membership.Role.RESEARCHER).user)
    text = client.get(reverse("overview", args=[project.public_id])).text
    assert "The project is closed" in text
    links = set(re.findall(rf'href="(/projects/{project.public_id}/[^"]*)"', text))
    assert links
    assert {address: client.get(address).status_code for address in links} == dict.fromkeys(
        links, 200
    )


def test_the_part_that_is_looked_at_again_is_sent_only_when_it_has_changed(
    manager, overview, project, judges
):
    judged.pairs(project, [[1] * 5], by=judges)
    page = reverse("figures", args=[project.public_id])
    told = overview().context["told"]
    assert manager.get(page, {"told": told}).status_code == 204
    judged.pairs(project, [[1]], by=judges)
    reply = manager.get(page, {"told": told})
    assert reply.status_code == 200
    assert reply.context["told"] in reply.text
    assert "<html" not in reply.text


def test_the_end_is_told_as_a_range_of_dates(overview, project):
    [alice] = judged.people(project, 1)
    for hours in (1, 3, 5, 25, 49, 51, 73):
        judged.pairs(project, [[1]], by=[alice], at=timezone.now() - timedelta(hours=hours))
    text = " ".join(overview().text.split())
    assert "judgments are left." in text
    assert "At this pace the last is given" in text or "The last is not given before" in text


def test_charts_are_tables_as_well(overview, project, judges):
    for hours in (1, 3):
        at = timezone.now() - timedelta(hours=hours)
        judged.pairs(project, [[1] * 5, [0] * 5], by=judges, at=at)
    reply = overview()
    drawn = reply.context["timeline"]
    assert len(drawn.agreement.dots) == len([e for e in drawn.stretches if e.agreement]) == 2
    for each in drawn.stretches:
        assert each.name in reply.text
    assert reply.text.count('role="img"') == reply.text.count("<title id=") == 3


@pytest.mark.parametrize("name", ["overview", "figures"])
def test_a_large_study_takes_as_many_statements_as_a_small_one(manager, project, name):
    page = reverse(name, args=[project.public_id])
    judged.pairs(project, [[1] * 5] * 2, by=judged.people(project, 5))
    manager.get(page)
    with CaptureQueriesContext(connection) as small:
        manager.get(page)
    judged.pairs(project, [[1, 0, 1, 1, 0]] * 60, by=judged.people(project, 40))
    with CaptureQueriesContext(connection) as large:
        manager.get(page)
    assert len(large) == len(small) <= 15
