"""Whatever is done to a sealed answer or to its seal is found, and the first one is named."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.dataset.seals import START, Answer, Break, Fault, Link, breaks, chain, content

TEXTS = st.text(max_size=8)
ANSWERS = st.builds(
    Answer,
    judgment=st.integers(1, 2**63 - 1),
    pair=st.uuids().map(str),
    sentence1=TEXTS,
    sentence2=TEXTS,
    flipped=st.booleans(),
    annotator=st.integers(1, 2**63 - 1),
    label=st.integers(0, 3),
    seconds=st.none() | st.floats(0, 1e6),
    highlighted=st.none() | st.booleans(),
    number=st.none() | st.integers(1, 10**6),
    submitted_at=st.none() | st.datetimes(timezones=st.just(UTC)),
)
CHAINS = st.lists(ANSWERS, min_size=2, max_size=5, unique=True)
few = settings(max_examples=25)
NAMES = [field.name for field in fields(Answer)]


def sealed(answers):
    digests = list(chain(answers))
    return list(map(Link, range(1, len(answers) + 1), digests, answers))


def example(**changed):
    answer = Answer(
        judgment=7,
        pair="0c0f7e05-6d5c-4f0e-8f35-9a5f6e1f2b3a",
        sentence1="Ada met Bo.",
        sentence2="Bo met Ada – “once”.",
        flipped=True,
        annotator=3,
        label=1,
        seconds=2.5,
        highlighted=None,
        number=12,
        submitted_at=datetime(1970, 1, 1, 0, 0, 1, 5, tzinfo=UTC),
    )
    return replace(answer, **changed)


def test_the_content_of_an_answer_is_one_list_in_ascii() -> None:
    assert content(example()) == (
        rb'[7,"0c0f7e05-6d5c-4f0e-8f35-9a5f6e1f2b3a","Ada met Bo.",'
        rb'"Bo met Ada \u2013 \u201conce\u201d.",true,3,1,2.5,null,12,1000005]'
    )


def test_each_digest_is_made_of_the_one_before_and_the_content() -> None:
    first, second = chain([example(), example(label=0)])
    assert first == sha256(bytes(32) + content(example())).digest()
    assert second == sha256(first + content(example(label=0))).digest()


def test_a_chain_can_be_carried_on() -> None:
    first, second = chain([example(), example(label=0)])
    assert [second] == list(chain([example(label=0)], after=first))


def test_the_zone_in_which_a_time_is_written_changes_nothing() -> None:
    elsewhere = timezone(timedelta(hours=5))
    moved = example().submitted_at.astimezone(elsewhere)
    assert content(example(submitted_at=moved)) == content(example())


def test_nothing_is_whole() -> None:
    assert list(breaks([])) == []


@few
@given(CHAINS)
def test_a_chain_that_nobody_touched_is_whole(answers):
    assert list(breaks(sealed(answers))) == []


@pytest.mark.parametrize("name", NAMES)
@few
@given(answers=CHAINS, data=st.data())
def test_any_other_value_in_any_field_is_one_break(name, answers, data):
    links = sealed(answers)
    place = data.draw(st.integers(0, len(links) - 1))
    was = links[place].answer
    other = data.draw(ANSWERS.filter(lambda answer: getattr(answer, name) != getattr(was, name)))
    changed = replace(was, **{name: getattr(other, name)})
    links[place] = links[place]._replace(answer=changed)
    assert list(breaks(links)) == [Break(Fault.DIFFERS, place + 1, place + 1)]


@few
@given(answers=CHAINS, data=st.data())
def test_two_answers_in_each_others_place_are_two_breaks(answers, data):
    links = sealed(answers)
    one, other = sorted(
        data.draw(st.lists(st.integers(0, len(links) - 1), min_size=2, max_size=2, unique=True))
    )
    first, second = links[one].answer, links[other].answer
    links[one] = links[one]._replace(answer=second)
    links[other] = links[other]._replace(answer=first)
    assert [found.first for found in breaks(links)] == [one + 1, other + 1]


@few
@given(answers=CHAINS, data=st.data())
def test_an_answer_that_is_gone_is_named(answers, data):
    links = sealed(answers)
    place = data.draw(st.integers(0, len(links) - 1))
    links[place] = links[place]._replace(answer=None)
    assert list(breaks(links)) == [Break(Fault.GONE, place + 1, place + 1)]


@few
@given(answers=CHAINS, data=st.data())
def test_seals_that_are_gone_with_their_answers_are_a_gap(answers, data):
    links = sealed(answers)
    first = data.draw(st.integers(1, len(links) - 1))
    last = data.draw(st.integers(first, len(links) - 1))
    left = [link for link in links if not first <= link.number <= last]
    assert list(breaks(left)) == [Break(Fault.MISSING, first, last)]


@few
@given(answers=CHAINS, more=ANSWERS, data=st.data())
def test_an_answer_put_in_between_is_found_at_the_next(answers, more, data):
    links = sealed(answers)
    place = data.draw(st.integers(0, len(links) - 1))
    after = links[place - 1].digest if place else START
    [digest] = chain([more], after=after)
    moved = [link._replace(number=link.number + 1) for link in links[place:]]
    forged = [*links[:place], Link(place + 1, digest, more), *moved]
    assert next(breaks(forged)) == Break(Fault.DIFFERS, place + 2, place + 2)


@few
@given(answers=CHAINS, data=st.data())
def test_an_answer_that_is_changed_with_its_seal_is_found_at_the_next(answers, data):
    links = sealed(answers)
    place = data.draw(st.integers(0, len(links) - 2))
    changed = replace(links[place].answer, label=links[place].answer.label + 1)
    [digest] = chain([changed], after=links[place - 1].digest if place else START)
    links[place] = Link(place + 1, digest, changed)
    assert list(breaks(links)) == [Break(Fault.DIFFERS, place + 2, place + 2)]


@few
@given(answers=CHAINS, data=st.data())
def test_a_rewritten_seal_is_found_with_the_next(answers, data):
    links = sealed(answers)
    place = data.draw(st.integers(0, len(links) - 1))
    links[place] = links[place]._replace(digest=bytes(32))
    found = [each.first for each in breaks(links)]
    assert found == [place + 1, place + 2][: len(links) - place]


@few
@given(CHAINS)
def test_the_head_stands_for_all_of_them(answers):
    changed = [replace(answers[0], label=answers[0].label + 1), *answers[1:]]
    assert list(chain(changed))[-1] != list(chain(answers))[-1]
