"""Pairs in lists and one by one, and what managers do to them: verdicts, rounds, the queue."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.agreement import services as agreement
from annotation.models import (
    Adjudication,
    Intervention,
    Judgment,
    Membership,
    PairExclusion,
    Reopening,
    Skip,
)
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, signed_in, statements

pytestmark = pytest.mark.django_db
VOTES = [[1, 1, 1, 0, 0], [1] * 5, [0] * 5, [1], [1], [1]]
DISPUTED, PARAPHRASE, DIFFERENT, FIRST, ASIDE, GOLD = range(6)


@pytest.fixture(scope="module")
def study(module_db):
    return make.study()


@pytest.fixture(scope="module")
def judges(study):
    return judged.people(study, 5)


@pytest.fixture(scope="module")
def made(study, judges):
    """Of each kind, one pair."""
    made = judged.pairs(study, VOTES, by=judges)
    aside = {"set_aside_at": timezone.now()}
    for number, change in ((FIRST, {"priority": 1}), (ASIDE, aside), (GOLD, {"gold_label": 1})):
        study.pairs.filter(pk=made[number].pk).update(**change)
    return made


@pytest.fixture(scope="module")
def boss(study):
    return make.person(study, role=Membership.Role.MANAGER).user


@pytest.fixture(scope="module")
def manager(boss):
    return signed_in(boss)


def listed(reply):
    return [row.item for row in reply.context["rows"]]


def of(name, pair):
    return page(name, pair.project, pair.public_id)


def test_pairs_are_listed_with_their_answers_and_the_closest_votes_first(
    study, made, judges, manager
):
    why = Intervention.objects.create(membership=judges[0], kind="exclude", reason="Odd.")
    Judgment.objects.filter(item=made[FIRST], annotator=judges[0].user).update(excluded_by=why)
    reply = manager.get(page("pairs", study))
    assert listed(reply)[:3] == [made[DISPUTED], made[PARAPHRASE], made[DIFFERENT]]
    rows = {row.item: row for row in reply.context["rows"]}
    for number, tally, words in (
        (DISPUTED, [2, 3], "3 of 5 same"),
        (PARAPHRASE, [0, 5], "5 of 5 same"),
        (ASIDE, [0, 1], "4 answers missing"),
        (FIRST, [0, 0], "5 answers missing"),
    ):
        assert (rows[made[number]].tally, words in reply.text) == (tally, True)
    assert [str(chip.text) for chip in rows[made[DISPUTED]].chips] == ["too few agree"]
    assert str(judges[0].user) not in reply.text
    graded = make.study(protocol="parade")
    far, close = judged.pairs(graded, [[3, 3, 2], [2, 1, 0]], by=judged.people(graded, 3))
    assert listed(client_of(graded).get(page("pairs", graded))) == [close, far]


def test_filters_leave_what_was_asked_for(study, made, manager):
    for query, expected in (
        ({"state": "decided"}, [DISPUTED, PARAPHRASE, DIFFERENT]),
        ({"state": "undecided"}, [FIRST, ASIDE]),
        ({"state": "in_progress"}, [FIRST, ASIDE]),
        ({"change": "number"}, []),
        ({"state": "kept"}, [PARAPHRASE, DIFFERENT]),
        ({"state": "not_kept"}, [DISPUTED]),
        ({"state": "set_aside"}, [ASIDE]),
        ({"state": "first"}, [FIRST]),
        ({"label": "1"}, [DISPUTED, PARAPHRASE]),
        ({"label": "0"}, [DIFFERENT]),
        ({"label": "tie"}, []),
        ({"correction": "none"}, [DISPUTED, PARAPHRASE, DIFFERENT, FIRST, ASIDE]),
        ({"correction": "fixed"}, []),
        ({"method": "word_swap"}, []),
        ({"hidden": "on"}, [GOLD]),
        ({"state": "kept", "label": "1"}, [PARAPHRASE]),
        ({"words": f" {made[FIRST].public_id} "}, [FIRST]),
        ({"words": made[FIRST].sentence1.text.upper()}, [FIRST]),
        ({"words": "ada never"}, []),
    ):
        reply = manager.get(page("pairs", study), query)
        assert {pair.pk for pair in listed(reply)} == {made[n].pk for n in expected}, query
        assert reply.context["number"] == len(expected), query


def test_the_page_of_a_pair_tells_its_whole_way(study, boss, manager, judges):
    make.candidates(study, [("Ada met Bo.", "Bo met Ada.")])
    make.correct_next(corrector := make.person(study), "fix", "Bo met Ada once.")
    pair = study.pairs.latest("pk")
    assert "This pair hasn’t been assigned to anyone yet" in manager.get(of("pair", pair)).text
    judged.give(pair, [1, 0, 0, 0, 1], by=judges, at=timezone.now() + timedelta(minutes=1))
    skipped = {"annotator": judges[0].user, "reason": "other", "note": "Whose <b>hat?"}
    Skip.objects.create(project=study, item=pair, **skipped)
    agreement.adjudicate(pair, by=boss, label=0, note="Another <town>.")
    agreement.adjudicate(pair, by=boss, label=None)
    make.spare(study)
    agreement.reopen(study, [pair.public_id], by=boss)
    reply = manager.get(of("pair", pair))
    shown = ["Ada met Bo.", "Bo met Ada.", "<mark>once</mark>", str(corrector.user)]
    for said in (*shown, "Whose &lt;b&gt;hat?", "Another &lt;town&gt;."):
        assert said in reply.text
    happened = {(event.what, event.by, str(detail)) for event, detail in reply.context["history"]}
    assert ("adjudicated", boss, "Different meaning") in happened
    assert ("adjudicated", boss, "Unclear") in happened
    assert ("reopened", boss, "Different meaning") in happened
    events = {"made", "corrected", "opened", "skipped", "judged", "decided"}
    assert events <= {what for what, _, _ in happened}
    (first, _), (second, _) = reply.context["rounds"]
    assert (first.number, first.tally, first.ended_by) == (1, [3, 2], boss)
    assert (second.number, second.tally, second.answers) == (2, None, [])
    assert statements(manager, of("pair", pair)) == 14
    rows = manager.get(page("table", study, "pairs")).getvalue().decode()
    assert "(of an earlier round)" in rows
    assert "(excluded)" not in rows


def test_what_was_shown_is_reopened_and_nothing_else(study, boss, manager, made):
    reopen = page("reopen_pairs", study) + "?state=not_kept"
    context = manager.get(reopen).context
    assert (context["number"], context["lacking"]) == (0, 1)
    make.spare(study)
    sent = {"act": "again", "all": "on", "list": page("pairs", study) + "?state=not_kept"}
    assert manager.post(page("change_pairs", study), sent).url == reopen
    sent = {"act": "again", "chosen": [made[DISPUTED].public_id], "list": page("pairs", study)}
    assert manager.get(manager.post(page("change_pairs", study), sent).url).context["number"] == 1
    sent["chosen"] = [made[DIFFERENT].public_id]
    assert manager.get(manager.post(page("change_pairs", study), sent).url).context["number"] == 0
    context = manager.get(reopen).context
    assert (context["number"], context["answers"]) == (1, 5)
    for number in ("0", "2", "", "many"):
        reply = manager.post(reopen, {"number": number})
        assert (reply.status_code, reply.context["number"]) == (409, 1)
    assert manager.get(page("reopen_pairs", study) + "?state=odd").status_code == 404
    manager.post(reopen, {"number": 1})
    assert [(each.pair, each.by) for each in Reopening.objects.all()] == [(made[DISPUTED], boss)]


def test_what_is_said_of_the_queue_is_true_of_pairs_that_are_decided_too(study, manager, made):
    waiting = study.pairs.filter(consensus=None, gold_label=None).first()

    def said(name, pair, **sent):
        address = of(name, pair) if name == "give_priority" else page(name, study)
        reply = manager.post(address, sent, follow=True)
        return [str(message) for message in reply.context["messages"]][-1]

    for pair, first, back in (
        (waiting, "judged first", "was already in the queue"),
        (made[DISPUTED], "needs no more answers", "needs no more answers"),
    ):
        assert first in said("give_priority", pair, level=1)
        assert back in said("put_back", pair, item=pair.public_id, from_pair=1)
    study.items.filter(pk=waiting.pk).update(set_aside_at=timezone.now())
    assert "set aside" in said("give_priority", waiting, level=0)
    assert "returned to the queue" in said("put_back", waiting, item=waiting.public_id)


def test_a_manager_says_what_a_pair_is_that_is_not_kept(study, boss, manager, made):
    pair, kept = made[DISPUTED], made[PARAPHRASE]
    for wrong, sent in ((pair, {}), (pair, {"label": "2"}), (kept, {"label": "0"})):
        assert "messages" in manager.post(of("adjudicate", wrong), sent, follow=True).text
    assert not Adjudication.objects.exists()
    manager.post(of("adjudicate", pair), {"label": "open"})
    manager.post(of("adjudicate", pair), {"label": "0", "note": "Not the same."})
    said = Adjudication.objects.order_by("pk").values_list("pair", "by", "label", "note")
    assert list(said) == [(pair.pk, boss.pk, None, ""), (pair.pk, boss.pk, 0, "Not the same.")]


def test_a_manager_excludes_a_pair_and_includes_it_again_and_reopens_a_kept_one(
    study, boss, manager, made
):
    pair = made[PARAPHRASE]
    assert "Exclude this pair…" in manager.get(of("pair", pair)).text
    for sent in ({}, {"reason": "dull"}, {"reason": "other", "note": " "}):
        assert "messages" in manager.post(of("exclude_pair", pair), sent, follow=True).text
    assert not PairExclusion.objects.exists()
    sent = {"reason": "private", "note": "Her <b>address."}
    reply = manager.post(of("exclude_pair", pair), sent, follow=True)
    for said in ("Pair excluded.", "Her &lt;b&gt;address.", "Include again"):
        assert said in reply.text
    assert listed(manager.get(page("pairs", study), {"state": "excluded"})) == [pair]
    assert pair not in listed(manager.get(page("pairs", study), {"state": "kept"}))
    rows = manager.get(page("table", study, "pairs"), {"state": "excluded"}).getvalue().decode()
    assert ",private," in rows
    table = manager.get(page("agreement", study)).context["table3"]
    assert [row.cells[0].number for row in table if row.line.figure == "excluded"] == [1]
    manager.post(of("include_pair", pair))
    assert (PairExclusion.objects.get().by, PairExclusion.objects.get().ended_by) == (boss, boss)
    assert page("reopen_pairs", study) in manager.get(of("pair", pair)).text
    make.spare(study)
    assert manager.get(page("reopen_pairs", study)).context["number"] == 1  # not the kept ones
    reopen = f"{page('reopen_pairs', study)}?words={pair.public_id}"
    assert "This pair is kept now." in manager.get(reopen).text
    manager.post(reopen, {"number": 1})
    assert Reopening.objects.get().pair == pair


EXCLUDE, WHY = {"act": "exclude"}, {"confirmed": "on", "reason": "private"}


def test_work_is_listed_by_what_became_of_it_and_by_who_has_it_in_progress(project):
    make.candidates(project, [(f"S{n} sees.", f"Sees s{n}.") for n in range(4)])
    for action in ("accept", "fix", "reject"):
        make.correct_next(make.person(project), action, "Mended." if action == "fix" else "")
    manager = client_of(project)
    asked = {"": 4, "accepted": 1, "fixed": 1, "rewritten": 1, "rejected": 1, "waiting": 1}
    for state, number in (asked | {"set_aside": 0}).items():
        reply = manager.get(page("answers", project, "correct"), {"state": state})
        assert reply.context["number"] == len(reply.context["rows"]) == number, state
        assert ("Mended" in reply.text) == (state in ("", "fixed", "rewritten"))
    reply = manager.get(page("answers", project, "correct"), {"words": "sees S3"})
    assert reply.context["number"] == 1
    assert "<mark>Sees s3</mark>" in reply.text
    (row,) = reply.context["rows"]
    chosen = {"chosen": [row.item.public_id], "list": page("answers", project, "correct")}
    assert "Exclude 1 item?" in manager.post(page("change_pairs", project), chosen | EXCLUDE).text
    reply = manager.post(page("change_pairs", project), chosen | EXCLUDE | WHY, follow=True)
    assert (reply.request["PATH_INFO"], "1 item excluded." in reply.text) == (chosen["list"], True)
    reply = manager.get(chosen["list"], {"state": "excluded"})
    assert [each.item for each in reply.context["rows"]] == [row.item]
    manager.post(page("change_pairs", project), chosen | {"act": "include"})
    assert manager.get(chosen["list"], {"state": "excluded"}).context["number"] == 0
    make.judge_next(make.person(project))
    for query, number in (({}, 10), ({"state": "waiting"}, 9), ({"words": "Mended"}, 5)):
        reply = manager.get(page("answers", project, "judge"), query)
        assert reply.context["number"] == len(reply.context["rows"]) == number, query
        assert ("Same meaning" in reply.text) == (not query)
    alice, bob = judged.people(project, 2)
    slot, correction = make.claim(alice), make.claim(bob, "correct")
    Judgment.objects.filter(pk=slot.pk).update(lease_until=timezone.now() - timedelta(minutes=1))
    reply = manager.get(page("leases", project))
    assert [line.record for line in reply.context["lines"]] == [slot, correction]
    assert reply.text.count("expired; ") == 1
    for text in (str(alice.user), str(bob.user), "Sees s3."):
        assert text in reply.text
