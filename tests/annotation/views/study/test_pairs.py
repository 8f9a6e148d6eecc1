"""Pairs in lists and one by one, and what managers do to them: verdicts, rounds, the queue."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from annotation.models import (
    Adjudication,
    Consensus,
    Correction,
    Intervention,
    Judgment,
    Membership,
    Project,
    Reopening,
    SentencePair,
    Skip,
)
from annotation.selectors.dashboard import pairs as selector
from annotation.services import adjudication, corrections, judgments, rounds, skips
from annotation.views.study import kinds
from generation.models import Candidate
from generation.nlp.kinds import Kind
from tests.annotation import cast, judged
from tests.annotation.views.pages import client_of, page, signed_in, statements, undone

pytestmark = pytest.mark.django_db
VOTES = [[1, 1, 1, 0, 0], [1] * 5, [0] * 5, [1], [1], [1]]
DISPUTED, PARAPHRASE, DIFFERENT, FIRST, ASIDE, HIDDEN = range(6)


@pytest.fixture(scope="module")
def study(module_db):
    return cast.study()


@pytest.fixture(scope="module")
def judges(study):
    return judged.people(study, 5)


@pytest.fixture(scope="module")
def made(study, judges):
    """Of each kind, one pair."""
    made = judged.pairs(study, VOTES, by=judges)
    for number, change in (
        (FIRST, {"priority": 1}),
        (ASIDE, {"set_aside_at": timezone.now()}),
        (HIDDEN, {"known_label": 1}),
    ):
        study.pairs.filter(pk=made[number].pk).update(**change)
    return made


@pytest.fixture(scope="module")
def boss(study):
    return cast.person(study, role=Membership.Role.MANAGER).user


@pytest.fixture(scope="module")
def manager(boss):
    return signed_in(boss)


def hold_out(pair, judge):
    why = Intervention.objects.create(membership=judge, kind="hold_out", reason="Odd.")
    Judgment.objects.filter(pair=pair, annotator=judge.user).update(held_out=why)


def listed(reply):
    return [line.pair for line in reply.context["lines"]]


def of(name, pair):
    return page(name, pair.project, pair.public_id)


def test_pairs_are_listed_with_their_answers_and_the_closest_votes_first(
    study, made, judges, manager
):
    table = page("pairs", study)
    hold_out(made[FIRST], judges[0])
    reply = manager.get(table)
    assert listed(reply)[:3] == [made[DISPUTED], made[PARAPHRASE], made[DIFFERENT]]
    first = reply.context["lines"][0]
    names = [str(judge.user) for judge in judges]
    said = {str(each.answer): each.people for each in first.voices}
    assert said == {"Same meaning": names[:3], "Different meaning": names[3:]}
    missing = {line.pair: (len(line.voices), line.missing) for line in reply.context["lines"]}
    assert missing[made[DISPUTED]] == (2, 0)
    assert missing[made[ASIDE]] == (1, 4)
    assert missing[made[FIRST]] == (0, 5)
    graded = cast.study(protocol="parade")
    far, close = judged.pairs(graded, [[3, 3, 2], [2, 1, 0]], by=judged.people(graded, 3))
    assert listed(client_of(graded).get(page("pairs", graded))) == [close, far]


def test_filters_leave_what_was_asked_for(study, made, manager):
    for query, expected in (
        ({"state": "decided"}, [DISPUTED, PARAPHRASE, DIFFERENT]),
        ({"state": "undecided"}, [FIRST, ASIDE]),
        ({"state": "kept"}, [PARAPHRASE, DIFFERENT]),
        ({"state": "not_kept"}, [DISPUTED]),
        ({"state": "set_aside"}, [ASIDE]),
        ({"state": "first"}, [FIRST]),
        ({"label": "paraphrase"}, [DISPUTED, PARAPHRASE]),
        ({"label": "different"}, [DIFFERENT]),
        ({"label": "tie"}, []),
        ({"correction": "none"}, [DISPUTED, PARAPHRASE, DIFFERENT, FIRST, ASIDE]),
        ({"correction": "fixed"}, []),
        ({"method": "word_swap"}, []),
        ({"hidden": "on"}, [HIDDEN]),
        ({"state": "kept", "label": "paraphrase"}, [PARAPHRASE]),
        ({"words": f" {made[FIRST].public_id} "}, [FIRST]),
        ({"words": made[FIRST].sentence1.text.upper()}, [FIRST]),
        ({"words": "ada never"}, []),
    ):
        reply = manager.get(page("pairs", study), query)
        assert {pair.pk for pair in listed(reply)} == {made[n].pk for n in expected}, query
        assert reply.context["number"] == len(expected), query
    assert "No pair is as you asked." in reply.text
    empty = cast.study()
    assert "There is no pair yet." in client_of(empty).get(page("pairs", empty)).text


def test_pages_lead_through_all_pairs_and_back(study, made, manager, monkeypatch):
    monkeypatch.setattr(selector, "PAGE", 2)
    monkeypatch.setattr(selector.page, "__kwdefaults__", selector.page.__kwdefaults__ | {"size": 2})
    table = page("pairs", study)
    for order in ("disagreement", "newest", "oldest"):
        reply = manager.get(table, {"order": order, "state": ""})
        pages = [listed(reply)]
        while after := reply.context["links"].after:
            reply = manager.get(table + after)
            pages.append(listed(reply))
        assert [len(each) for each in pages] == [2, 2, 1]
        assert {pair.pk for each in pages for pair in each} == {pair.pk for pair in made[:HIDDEN]}
        back = manager.get(table + reply.context["links"].before)
        assert listed(back) == pages[1]
        first = manager.get(table + back.context["links"].first)
        assert (listed(first), first.context["links"].before) == (pages[0], "")


def test_each_list_that_a_pair_is_said_to_be_in_holds_it(study, made, manager):
    study.pairs.filter(pk=made[FIRST].pk).update(set_aside_at=timezone.now())
    common = ["back translation", "not corrected first"]
    for number, names in (
        (PARAPHRASE, ["kept", "paraphrase", *common]),
        (DISPUTED, ["not kept", "paraphrase", *common]),
        (FIRST, ["undecided", "to be judged first", "set aside", *common]),
        (HIDDEN, ["hidden pairs"]),
    ):
        reply = manager.get(of("pair", made[number]))
        assert [each.name for each in reply.context["lists"]] == names
        for each in reply.context["lists"]:
            assert made[number] in listed(manager.get(each.address)), each.name
    assert "hidden pair, answer known" in reply.text
    assert "Judge it first" not in reply.text


def test_the_page_of_a_pair_tells_its_whole_way(study, manager, judges):
    cast.candidates(study, [("Ada met Bo.", "Bo met Ada.")])
    cast.correct_next(corrector := cast.person(study), "fix", "Bo met Ada once.")
    pair = study.pairs.latest("pk")
    text = manager.get(of("pair", pair)).text
    assert "Nobody has been given this pair yet; 5 people will be." in text
    judged.give(pair, [0, 0, 0, 0, 1], by=judges, at=timezone.now() + timedelta(minutes=1))
    Skip.objects.create(
        project=study, annotator=judges[0].user, pair=pair, reason="other", note="Whose <b>hat?"
    )
    Candidate.objects.filter(pk=pair.candidate_id).update(kind=Kind.MIXED)
    reply = manager.get(of("pair", pair))
    for said in ("Ada met Bo.", "Bo met Ada.", "<mark>once</mark>", str(corrector.user), "kept",
                 "Whose &lt;b&gt;hat?"):  # fmt: skip
        assert said in reply.text
    events = [event.what for event, _ in reply.context["history"]]
    assert events == ["made", "corrected", "opened", "skipped", *["judged"] * 5, "decided"]
    fixed = reply.context["lists"][-1]
    assert (fixed.name, listed(manager.get(fixed.address))) == ("fixed", [pair])
    with translation.override("de"):
        name = kinds.name(Kind.MIXED)
    reply = manager.get(of("pair", pair), headers={"Accept-Language": "de"})
    assert f" · {name} · " in reply.text
    assert statements(manager, of("pair", pair)) == 7


def test_experts_rounds_and_answers_held_out_are_in_the_history(study, boss, manager, made, judges):
    pair = made[DISPUTED]
    adjudication.decide(pair, by=boss, label=0, note="Another <town>.")
    adjudication.decide(pair, by=boss, label=None)
    rounds.reopen(study, [pair.public_id], by=boss)
    for other in judged.people(study, 5):
        slot = pair.judgments.filter(annotator=None).first()
        Judgment.objects.filter(pk=slot.pk).update(annotator=other.user, claimed_at=timezone.now())
        judgments.submit(other, pair_public_id=pair.public_id, label=0, seconds=2.0)
    reply = manager.get(of("pair", pair))
    told = [
        (event.what, str(event.by or ""), detail)
        for event, detail in reply.context["history"]
        if event.what in ("decided", "adjudicated", "reopened")
    ]
    assert told == [
        ("decided", "", "Paraphrase"),
        ("adjudicated", str(boss), "Not a paraphrase"),
        ("adjudicated", str(boss), "Cannot be told"),
        ("reopened", str(boss), "Paraphrase"),
        ("decided", "", "Not a paraphrase"),
    ]
    first, second = reply.context["rounds"]
    assert (first.number, first.tally, first.ended_by) == (1, [2, 3], boss)
    assert (second.number, second.tally) == (2, [5, 0])
    assert "Another &lt;town&gt;." in reply.text
    hold_out(made[FIRST], judges[0])
    assert manager.get(of("pair", made[FIRST])).text.count("Odd.") == 2


def test_a_round_that_came_to_a_tie_says_so():
    tied = cast.study(judgments_per_pair=2, consensus_min_votes=2)
    [pair] = judged.pairs(tied, [[1, 0]], by=judged.people(tied, 2))
    boss = cast.person(tied, role=Membership.Role.MANAGER).user
    rounds.reopen(tied, [pair.public_id], by=boss)
    history = signed_in(boss).get(of("pair", pair)).context["history"]
    assert [detail for event, detail in history if event.what == "reopened"] == ["A tie"]


def test_what_was_shown_is_reopened_and_nothing_else(study, boss, manager, made):
    reopen = page("reopen_pairs", study) + "?state=not_kept"
    assert reopen in manager.get(page("pairs", study), {"state": "not_kept"}).text
    assert "reopen" not in manager.get(page("pairs", study), {"state": "kept"}).text
    context = manager.get(reopen).context
    assert (context["number"], context["answers"]) == (1, 5)
    for number in ("0", "2", "", "many"):
        reply = manager.post(reopen, {"number": number})
        assert (reply.status_code, reply.context["number"]) == (409, 1)
    hidden_or_kept = page("reopen_pairs", study) + "?hidden=on"
    assert manager.get(hidden_or_kept).context["number"] == 0
    assert manager.get(page("reopen_pairs", study) + "?state=odd").status_code == 404
    assert not Reopening.objects.exists()
    reply = manager.post(reopen, {"number": 1}, follow=True)
    assert "1 pair is asked of others anew." in reply.text
    assert [(each.pair, each.by) for each in Reopening.objects.all()] == [(made[DISPUTED], boss)]


def test_a_manager_says_what_a_pair_is_that_is_not_kept(study, boss, manager, made):
    pair, kept = made[DISPUTED], made[PARAPHRASE]
    for wrong, sent in (
        (pair, {}), (pair, {"label": "2"}), (pair, {"label": "1", "note": "x" * 501}),
        (kept, {"label": "0"}),
    ):  # fmt: skip
        assert "messages" in manager.post(of("adjudicate", wrong), sent, follow=True).text
    assert not Adjudication.objects.exists()
    assert "adjudicate" not in manager.get(of("pair", kept)).text
    manager.post(of("adjudicate", pair), {"label": "open"})
    manager.post(of("adjudicate", pair), {"label": "0", "note": "Not the same."})
    said = Adjudication.objects.order_by("pk").values_list("pair", "by", "label", "note")
    assert list(said) == [(pair.pk, boss.pk, None, ""), (pair.pk, boss.pk, 0, "Not the same.")]
    assert Consensus.objects.get(pair=pair).label == 1
    text = client_of(study, "researcher").get(of("pair", pair)).text
    assert "What an expert says" in text
    assert "adjudicate" not in text


def skipped(project):
    """A pair that somebody set aside, until it is put back."""
    Project.objects.filter(pk=project.pk).update(skipping="never")
    project.refresh_from_db()
    member = cast.person(project)
    pair = judgments.claim(member).pair
    return skips.pair(member, pair=pair.public_id, reason="broken")


def test_what_is_set_aside_is_listed_and_put_back(project):
    manager = client_of(project)
    with undone():
        cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
        Correction.objects.update(set_aside_at=timezone.now())
        [aside] = manager.get(page("skips", project)).context["aside"]
        assert (aside.kind, aside.item.candidate.text) == ("correction", "Bo met Ada.")
    cast.pairs(project, 1)
    skip = skipped(project)
    [aside] = manager.get(page("skips", project)).context["aside"]
    assert (aside.item, aside.skips) == (skip.pair, [skip])
    assert judgments.claim(bob := cast.person(project)) is None
    sent = {"kind": "pair", "item": skip.pair.public_id}
    reply = manager.post(page("put_back", project), sent, follow=True)
    assert "It is in the queue again." in reply.text
    assert reply.context["aside"] == []
    assert judgments.claim(bob).pair == skip.pair
    reply = manager.post(page("put_back", project), sent | {"from_pair": "1"}, follow=True)
    assert "It was in the queue already." in reply.text
    assert reply.redirect_chain[0][0] == of("pair", skip.pair)
    assert manager.post(page("put_back", project), {"kind": "x"}).status_code == 404


def test_a_pair_is_given_a_priority(project):
    cast.pairs(project, 2)
    manager, pair = client_of(project), project.pairs.latest("pk")
    for level in (1, 0, -1):
        with undone():
            manager.post(of("give_priority", pair), {"level": level})
            assert SentencePair.objects.get(pk=pair.pk).priority == level
            assert (judgments.claim(cast.person(project)).pair == pair) == (level == 1)
    for sent in ({}, {"level": 7}, {"level": "x"}):
        assert manager.post(of("give_priority", pair), sent).status_code == 404


def test_work_is_listed_by_what_became_of_it_and_by_who_holds_it(project):
    texts = [(f"S{n} sees.", f"Sees s{n}.") for n in range(4)]
    cast.candidates(project, texts)
    for action in ("accept", "fix", "reject"):
        cast.correct_next(cast.person(project), action, "Mended." if action == "fix" else "")
    manager, lists = client_of(project), page("corrections", project)
    for state, number in {"": 4, **dict.fromkeys(["accepted", "fixed", "rejected", "waiting"], 1),
                          "set_aside": 0}.items():  # fmt: skip
        reply = manager.get(lists, {"state": state})
        assert reply.context["number"] == len(reply.context["lines"]) == number
        assert ("Mended" in reply.text) == (state in ("", "fixed"))
    [line] = manager.get(lists, {"words": "sees S3"}).context["lines"]
    assert line.correction.candidate.text == "Sees s3."
    alice, bob = judged.people(project, 2)
    slot, correction = judgments.claim(alice), corrections.claim(bob)
    reply = manager.get(page("leases", project))
    assert reply.context["leases"] == [(slot, False), (correction, False)]
    for text in (str(alice.user), str(bob.user), "Sees s3."):
        assert text in reply.text
    Judgment.objects.filter(pk=slot.pk).update(lease_until=timezone.now() - timedelta(minutes=1))
    assert manager.get(page("leases", project)).context["leases"][0][1]
    of_alice = {"project": project, "annotator": alice.user}
    Skip.objects.create(pair=slot.pair, reason="broken", **of_alice)
    Skip.objects.create(correction=correction, reason="unclear", note="<b>odd</b>", **of_alice)
    for query, number in (({}, 2), ({"kind": "pair"}, 1), ({"reason": "unclear"}, 1)):
        reply = manager.get(page("skips", project), query)
        assert reply.context["number"] == number
    assert "&lt;b&gt;odd&lt;/b&gt;" in reply.text
