"""Why people chose a label: what is asked, stored and undone, and who reads it."""

import json

import pytest
from django.db import DatabaseError, transaction

from accounts import services as accounts
from accounts.audited_acts import Act
from accounts.models import AuditEntry
from annotation.errors import AlreadyAnswered, Refused
from annotation.models import HiddenReason, Judgment, Role
from annotation.seals.selectors import broken_links
from annotation.seals.services import seal_waiting
from annotation.stats.spans import marked
from annotation.work import answers, reasons, simulation
from tests.annotation import invariants, make
from tests.annotation.pages import HTMX, client_of, page, rows_of, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
WHY = "The painter is thanked, not the singer."
# A direction mark, a letter outside the basic plane and emoji of several code points.
TEXTS = ("🧑‍🎨 شكر المغني الرسام.", "شكر 𝒜 الرسام المغني 👍🏽.")


@pytest.fixture
def study():
    project = make.study(reasons="required")
    make.candidates(project, [TEXTS], method="back_translation")
    return project


@pytest.fixture
def judge(study):
    return make.person(study)


def held_item(member):
    return make.claim(member).item.public_id


def span_of(text, word):
    start = text.index(word)
    return [start, start + len(word)]


@pytest.mark.parametrize("flipped", [False, True])
def test_words_are_stored_in_the_order_of_the_pair_whichever_sentence_was_shown_first(
    study, judge, flipped
):
    study.pairs.update(flipped=flipped)
    shown = make.turn(judge).shown
    tapped = [[2, *span_of(shown.sentences[1], "المغني")], [1, *span_of(shown.sentences[0], "شكر")]]
    sent = {"item": shown.id, "label": 0, "reason": "", "words": json.dumps(tapped)}
    reply = signed_in(judge.user).post(page("work", study, "judge"), sent, headers=HTMX)
    assert reply.status_code == 200
    slot = Judgment.objects.get(annotator=judge.user)
    words = ["شكر", "المغني"][:: -1 if flipped else 1]
    assert (slot.text, marked(slot.words, TEXTS)) == ("", words)
    assert [sentence for sentence, *_ in slot.words] == [1, 2]


@pytest.mark.parametrize(
    "words", ["x", "7", "[[1, 0]]", "[[1, 0, 1.5]]", "[[3, 0, 1]]", "[[1, 0, 999]]", "[[1, 4, 4]]"]
)
def test_spans_that_are_in_no_sentence_are_refused_while_the_text_stays(study, judge, words):
    client, address = signed_in(judge.user), page("work", study, "judge")
    item = client.get(address).context["item"].id
    sent = {"item": item, "label": 1, "reason": WHY, "words": words}
    reply = client.post(address, sent, headers=HTMX)
    assert reply.status_code == 422
    assert "That answer could not be read" in reply.text
    assert WHY in reply.text.partition("<textarea")[2].partition("</textarea>")[0]
    assert not Judgment.objects.answered().exists()


@pytest.mark.parametrize(("reason", "words"), [("", None), ("ok", None), ("–––", None)])
def test_a_required_reason_has_three_letters_or_a_word(study, judge, reason, words):
    item = held_item(judge)
    with pytest.raises(Refused, match="Say why in a few words"):
        make.submit(judge, item=item, label=1, reason=reason, words=words)
    assert make.submit(judge, item=item, label=1, reason="No.", words=[(1, 0, 1)]).text == "No."


def test_a_text_that_cannot_be_stored_is_refused_with_the_reason(study, judge):
    with pytest.raises(Refused, match="The reason can’t be saved: it has 501 characters"):
        make.submit(judge, item=held_item(judge), label=1, reason="n" * 501)


def test_only_the_labels_that_a_study_names_need_a_reason(judge, study):
    study.reason_labels = [0]
    study.save()
    item = held_item(judge)
    with pytest.raises(Refused):
        make.submit(judge, item=item, label=0, reason="")
    assert make.submit(judge, item=item, label=1, reason="").text == ""


def test_where_no_one_asks_a_reason_is_not_stored():
    project = make.study()
    make.pairs(project, 1)
    member = make.person(project)
    slot = make.submit(member, item=held_item(member), label=1, reason=WHY, words=[(1, 0, 1)])
    assert (slot.text, slot.words) == ("", None)


def test_a_share_of_the_pairs_is_drawn_the_same_for_every_judge():
    project = make.study(reasons="required", reason_share=30, seed=5)
    make.pairs(project, 100)
    pairs = list(project.pairs.values_list("public_id", flat=True))
    asked = [pair for pair in pairs if reasons.are_asked(project, pair)]
    assert 15 <= len(asked) <= 45
    project.reason_share = 60
    assert {*asked} < {pair for pair in pairs if reasons.are_asked(project, pair)}


def test_the_same_answer_is_stored_once_while_another_reason_is_refused(study, judge):
    sent = {"item": held_item(judge), "label": 1, "reason": WHY, "words": [(1, 0, 2)]}
    stored = make.submit(judge, **sent)
    assert make.submit(judge, **sent) == stored
    for change in ({"reason": "Another reason."}, {"words": []}, {"words": [(1, 0, 1)]}):
        with pytest.raises(AlreadyAnswered):
            make.submit(judge, **sent | change)


def test_undo_takes_the_reason_back_while_the_page_still_shows_it(study, judge):
    client, address = signed_in(judge.user), page("work", study, "judge")
    item = client.get(address).context["item"].id
    client.post(address, {"item": item, "label": 1, "reason": WHY, "words": "[[1, 0, 1]]"})
    reply = client.post(page("undo", study, "judge"), headers=HTMX)
    assert reply.context["item"].id == item
    assert WHY in reply.text
    assert 'value="[[1, 0, 1]]"' in reply.text
    slot = Judgment.objects.get(annotator=judge.user)
    assert (slot.label, slot.text, slot.words) == (None, "", None)


def test_a_changed_answer_keeps_nothing_of_the_reason_before(study, judge):
    item = held_item(judge)
    make.submit(judge, item=item, label=1, reason=WHY, words=[(1, 0, 1)])
    slot = answers.change(judge.duty("judge"), item=item, label=0, reason="On second thought.")
    assert (slot.label, slot.text, slot.words) == (0, "On second thought.", None)
    study.reasons = "off"
    study.save()
    judge.refresh_from_db()
    slot = answers.change(judge.duty("judge"), item=item, label=1)
    assert (slot.label, slot.text) == (1, "")


def decided(study):
    study.pairs.update(flipped=False)
    people = [make.person(study) for _ in range(5)]
    for number, member in enumerate(people):
        item = held_item(member)
        make.submit(member, item=item, label=1, reason=f"{WHY} {number}", words=[(1, 0, 2)])
    return people


def test_the_seal_of_an_answer_covers_its_reason(study):
    decided(study)
    seal_waiting()
    assert list(broken_links()) == []
    slot = Judgment.objects.first()
    for change in ({"text": "Forged."}, {"words": None}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Judgment.objects.filter(pk=slot.pk).update(**change)


def test_managers_and_researchers_read_reasons_that_other_judges_do_not(study):
    first, *_ = decided(study)
    pair = study.pairs.get()
    for role in (Role.MANAGER, Role.RESEARCHER):
        reply = client_of(study, role=role).get(page("pair", study, pair.public_id))
        assert f"{WHY} 0" in reply.text
        assert f'<q dir="auto">{pair.sentence1.text[:2]}</q>' in reply.text
    own = signed_in(first.user).get(page("recent", study, "judge")).text
    assert (f"{WHY} 0" in own, f"{WHY} 1" in own) == (True, False)


def readings(client, study):
    """What the pages, lists and REST of a study say of its only pair."""
    pair = study.pairs.get().public_id
    addresses = [page("pair", study, pair), page("answers", study, "judge")]
    addresses += [f"/api/projects/{study.public_id}/judgments/", f"/api/pairs/{pair}/"]
    texts = [client.get(address).text for address in addresses]
    files = [rows_of(client.get(page("table", study, name))) for name in ("judgments",)]
    return "".join(map(str, [*texts, *files]))


def test_a_reason_that_a_manager_hides_is_on_no_page_and_in_no_list(study):
    decided(study)
    client, before = client_of(study), list(Judgment.objects.order_by("pk").values())
    shown = readings(client, study)
    assert f"{WHY} 2" in shown
    pair, sent = study.pairs.get(), {"number": 3, "why": "It names somebody."}
    client.post(page("hide_reason", study, pair.public_id), sent)
    client.post(page("hide_reason", study, pair.public_id), sent)
    shown = readings(client, study)
    assert (f"{WHY} 1" in shown, f"{WHY} 2" in shown) == (True, False)
    assert "It names somebody." in shown
    assert list(Judgment.objects.order_by("pk").values()) == before
    [entry] = AuditEntry.objects.filter(act=Act.REASON_HIDDEN)
    assert (entry.public_id, entry.details) == (pair.public_id, {"slot": 3})


def test_researchers_hide_nothing(study):
    decided(study)
    client, pair = client_of(study, role=Role.RESEARCHER), study.pairs.get()
    reply = client.post(page("hide_reason", study, pair.public_id), {"number": 1})
    assert reply.status_code in (403, 404)
    assert not HiddenReason.objects.exists()


def test_erasing_an_account_hides_its_reasons(study):
    first, *_ = decided(study)
    boss = make.person(study, role=Role.MANAGER)
    accounts.erase(first.user, by=boss.user)
    shown = readings(signed_in(boss.user), study)
    assert (f"{WHY} 0" in shown, f"{WHY} 1" in shown) == (False, True)


def test_simulated_people_say_that_their_reasons_are_made_up(study):
    people = simulation.crowd(study, size=5, accuracy=0.9, seed=1)
    assert len(list(simulation.work(people))) == 5
    texts = Judgment.objects.answered().values_list("text", flat=True)
    assert all(text.endswith("and made up this reason.") for text in texts)
    assert invariants.broken(study) == []
