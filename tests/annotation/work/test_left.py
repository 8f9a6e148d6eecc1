"""How many items are left for a person: true at each answer, of every kind of work."""

import re

import pytest

from annotation.models import Project
from annotation.work import waiting
from annotation.work.views import ahead
from tests.annotation import make, translating
from tests.annotation.pages import HTMX, page, signed_in
from tests.annotation.small_study import BOTH_ORDERS, ONE_EACH, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def numbers_shown(member, kind, **answer):
    """Answer until nothing is left, as a browser does; return what each page said is left."""
    client, address = signed_in(member.user), page("work", member.project, kind)
    shown, reply = [], client.get(address)
    while item := reply.context["item"]:
        [number] = re.findall(r"· ([^<]*) left<", reply.text)
        shown.append(number)
        sent = {"item": item.id, "left": reply.context["left"], **answer}
        reply = client.post(address, sent, headers=HTMX)
    return shown


def true_numbers(answers):
    left = range(answers, 0, -1)
    return [str(number) if number <= 100 else "more than 100" for number in left]


@BOTH_ORDERS
def test_it_is_true_at_each_of_137_judgments_with_gold_pairs_among_them(order):
    project, [alice] = study(132, people=1, order=order, gold_every=9, **ONE_EACH)
    make.gold_pairs(project, [0, 1] * 2 + [1])
    assert numbers_shown(alice, "judge", label=1) == true_numbers(137)


def test_of_two_sentences_that_one_translator_does_not_get_both_one_is_counted():
    pairs = [*translating.pairs(4), ("Ada saw 0 dogs and Bo.", "Ada saw Bo and a dog.")]
    [translator] = translating.people(translating.study(pairs, people=1))
    shown = numbers_shown(translator, "translate", action="translate", text="Ada traf Bo in Rom.")
    assert shown == true_numbers(len(shown))
    assert len(shown) < 9


def test_those_who_had_what_comes_first_are_told_of_what_comes_later(monkeypatch):
    monkeypatch.setattr(waiting, "COUNTED", 3)
    project, [alice, bob] = study(8, people=2, order="breadth")
    make.judge_all(alice, 1)
    make.pairs(project, 2)
    assert waiting.items_for(alice.duty("judge")) == 2
    assert waiting.items_for(bob.duty("judge")) == 3


def test_an_answer_never_raises_it(monkeypatch):
    monkeypatch.setattr(ahead, "COUNTED_AGAIN", 1)
    project, [alice] = study(3, people=1)
    client, address = signed_in(alice.user), page("work", project, "judge")
    item = client.get(address).context["item"].id
    make.pairs(project, 5)
    for headers in (HTMX, {}):
        reply = client.post(
            address, {"item": item, "label": 1, "left": 3}, headers=headers, follow=True
        )
        assert reply.context["left"] == 2


def test_a_skipped_item_that_comes_back_stays_counted():
    project, [alice] = study(3, people=1, skipping=Project.Skipping.LATER)
    client = signed_in(alice.user)
    item = client.get(page("work", project, "judge")).context["item"].id
    sent = {"item": item, "reason": "unclear", "left": 3}
    reply = client.post(page("skip", project, "judge"), sent, headers=HTMX)
    assert "3 left" in reply.text


def test_its_place_is_on_the_page_when_nothing_is_left():
    project, [alice] = study(people=1)
    assert 'id="left"' in signed_in(alice.user).get(page("work", project, "judge")).text
