"""The page of one pair: its way, what happened to it, and the lists that count it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from annotation.models import Intervention, Judgment, Membership, SentencePair, Skip
from annotation.services import adjudication, rounds
from annotation.views.study import kinds
from generation.models import Candidate
from generation.nlp.kinds import Kind
from tests.annotation import cast, judged

DISPUTED, KEPT = [1, 1, 1, 0, 0], [1, 1, 1, 1, 1]


@pytest.fixture
def member(project) -> Membership:
    return cast.person(project, role=Membership.Role.MANAGER)


@pytest.fixture
def manager(member) -> Client:
    client = Client()
    client.force_login(member.user)
    return client


@pytest.fixture
def judges(project) -> list[Membership]:
    return judged.people(project, 5)


def address(pair) -> str:
    return reverse("pair", args=[pair.project.public_id, pair.public_id])


def told(reply, *kinds_of_event: str) -> list[tuple[str, str, str]]:
    """Events of these kinds: what, by whom, and what of it."""
    return [
        (event.what, str(event.by or ""), detail)
        for event, detail in reply.context["history"]
        if event.what in kinds_of_event
    ]


def test_the_page_of_a_pair_tells_its_whole_way(manager, project, judges):
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    corrector = cast.person(project)
    cast.correct_next(corrector, "fix", "Bo met Ada once.")
    pair = project.pairs.get()
    judged.give(pair, [0, 0, 0, 0, 1], by=judges, at=timezone.now() + timedelta(minutes=1))
    Skip.objects.create(project=project, annotator=judges[0].user, pair=pair, reason="unclear")
    reply = manager.get(address(pair))
    for text in ("Ada met Bo.", "Bo met Ada.", "<mark>once</mark>", str(corrector.user), "kept"):
        assert text in reply.text
    events = [event.what for event, _ in reply.context["history"]]
    assert events == ["made", "corrected", "opened", "skipped", *["judged"] * 5, "decided"]


def test_what_experts_said_and_when_others_were_asked_is_in_its_history(
    manager, member, project, judges
):
    [pair] = judged.pairs(project, [DISPUTED], by=judges)
    adjudication.decide(pair, by=member.user, label=0, note="Another <town>.")
    adjudication.decide(pair, by=member.user, label=None)
    rounds.reopen(project, [pair.public_id], by=member.user)
    for other in judged.people(project, 5):
        cast.judge_next(other, 0)
    reply = manager.get(address(pair))
    name = str(member.user)
    assert told(reply, "decided", "adjudicated", "reopened") == [
        ("decided", "", "Paraphrase"),
        ("adjudicated", name, "Not a paraphrase"),
        ("adjudicated", name, "Cannot be told"),
        ("reopened", name, "Paraphrase"),
        ("decided", "", "Not a paraphrase"),
    ]
    assert len(told(reply, "judged")) == 10
    assert "Another &lt;town&gt;." in reply.text


def test_a_round_that_came_to_a_tie_says_so(manager, member):
    project = cast.study(judgments_per_pair=2, consensus_min_votes=2)
    boss = cast.person(project, role=Membership.Role.MANAGER)
    [pair] = judged.pairs(project, [[1, 0]], by=judged.people(project, 2))
    rounds.reopen(project, [pair.public_id], by=boss.user)
    manager.force_login(boss.user)
    reply = manager.get(address(pair))
    assert told(reply, "reopened") == [("reopened", str(boss.user), "A tie")]


def test_who_passed_it_over_is_told_with_their_note(manager, project, judges):
    [pair] = judged.pairs(project, [[1]], by=judges)
    Skip.objects.create(
        project=project, annotator=judges[1].user, pair=pair, reason="other", note="Whose <b>hat?"
    )
    reply = manager.get(address(pair))
    assert told(reply, "skipped") == [("skipped", str(judges[1].user), "something else")]
    assert "Whose &lt;b&gt;hat?" in reply.text


def test_an_answer_that_is_held_out_is_marked(manager, project, judges):
    [pair] = judged.pairs(project, [[1, 0]], by=judges)
    why = Intervention.objects.create(
        membership=judges[1], kind="hold_out", reason="Clicked through."
    )
    Judgment.objects.filter(pair=pair, annotator=judges[1].user).update(held_out=why)
    assert manager.get(address(pair)).text.count("Clicked through.") == 2


def test_a_pair_that_nobody_was_given_says_how_many_will_be(manager, project):
    cast.pairs(project, 1)
    text = manager.get(address(project.pairs.get())).text
    assert "Nobody has been given this pair yet; 5 people will be." in text
    assert "nobody yet" not in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_kind_of_change_is_told_in_the_language_of_the_page(manager, project, language):
    cast.pairs(project, 1)
    Candidate.objects.update(kind=Kind.MIXED)
    with translation.override(language):
        name = kinds.name(Kind.MIXED)
    reply = manager.get(address(project.pairs.get()), headers={"Accept-Language": language})
    assert reply.context["kind"] == name
    assert f" · {name} · " in reply.text


@pytest.mark.parametrize(
    ("votes", "changes", "names"),
    [
        (KEPT, {}, ["kept", "paraphrase", "back translation", "not corrected first"]),
        (DISPUTED, {}, ["not kept", "paraphrase", "back translation", "not corrected first"]),
        (
            [1],
            {"priority": 1, "set_aside_at": timezone.now()},
            [
                "undecided",
                "to be judged first",
                "set aside",
                "back translation",
                "not corrected first",
            ],
        ),
        ([0], {"known_label": 1}, ["hidden pairs"]),
    ],
)
def test_each_list_that_a_pair_is_said_to_be_in_holds_it(
    manager, project, judges, votes, changes, names
):
    [pair] = judged.pairs(project, [votes], by=judges)
    SentencePair.objects.filter(pk=pair.pk).update(**changes)
    lists = manager.get(address(pair)).context["lists"]
    assert [each.name for each in lists] == names
    for each in lists:
        assert [line.pair for line in manager.get(each.address).context["lines"]] == [pair]


def test_a_fixed_pair_leads_to_the_other_fixed_ones(manager, project):
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    cast.correct_next(cast.person(project), "fix", "Bo met Ada once.")
    pair = project.pairs.get()
    fixed = manager.get(address(pair)).context["lists"][-1]
    assert fixed.name == "fixed"
    assert [line.pair for line in manager.get(fixed.address).context["lines"]] == [pair]


def test_a_hidden_pair_says_that_it_is_one(manager, project, judges):
    [pair] = judged.pairs(project, [[1]], by=judges)
    project.pairs.filter(pk=pair.pk).update(known_label=0)
    text = manager.get(address(pair)).text
    assert "hidden pair, answer known" in text
    assert "Judge it first" not in text


def test_a_pair_of_another_project_is_not_found(manager, project):
    other = cast.study()
    cast.pairs(other, 1)
    foreign = reverse("pair", args=[project.public_id, other.pairs.get().public_id])
    assert manager.get(foreign).status_code == 404


@pytest.mark.parametrize("judges_of_it", [5, 2])
def test_statements_do_not_grow_with_answers(
    manager, project, judges, judges_of_it, django_assert_num_queries
):
    [pair] = judged.pairs(project, [[1] * judges_of_it], by=judges)
    manager.get(address(pair))
    with django_assert_num_queries(7):
        manager.get(address(pair))
