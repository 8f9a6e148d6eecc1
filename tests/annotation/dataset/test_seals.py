"""Whatever is done to a sealed answer or to its seal is found, and the first one is named."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.seals import START, Answer, Break, Fault, Link, breaks, chain, content

TEXTS, KEYS = st.text(max_size=8), st.integers(1, 2**63 - 1)
ANSWERS = st.builds(
    Answer,
    judgment=KEYS,
    pair=st.uuids().map(str),
    sentence1=TEXTS,
    sentence2=TEXTS,
    annotator=KEYS,
    label=st.integers(0, 3),
    seconds=st.none() | st.floats(0, 1e6),
    number=st.none() | st.integers(1, 10**6),
    submitted_at=st.none() | st.datetimes(timezones=st.just(UTC)),
)
CHAINS = st.lists(ANSWERS, min_size=2, max_size=5, unique=True)
EXAMPLE = Answer(
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
OTHER = Answer(8, "other", "Cy.", "Di.", False, 4, 0, None, True, None, None)


def sealed(answers):
    return list(map(Link, range(1, len(answers) + 1), chain(answers), answers))


def places(links):
    return st.integers(0, len(links) - 1)


def test_the_content_of_an_answer_is_one_list_in_ascii_whatever_the_zone_of_its_time():
    expected = (
        rb'[7,"0c0f7e05-6d5c-4f0e-8f35-9a5f6e1f2b3a","Ada met Bo.",'
        rb'"Bo met Ada \u2013 \u201conce\u201d.",true,3,1,2.5,null,12,1000005]'
    )
    assert content(EXAMPLE) == expected
    elsewhere = EXAMPLE.submitted_at.astimezone(timezone(timedelta(hours=5)))
    assert content(replace(EXAMPLE, submitted_at=elsewhere)) == expected
    assert content(OTHER) == b'[8,"other","Cy.","Di.",false,4,0,null,true,null,null]'


def test_each_digest_is_made_of_the_one_before_and_the_content():
    first, second = chain([EXAMPLE, OTHER])
    assert first == sha256(bytes(32) + content(EXAMPLE)).digest()
    assert second == sha256(first + content(OTHER)).digest()
    assert [second] == list(chain([OTHER], after=first))


def test_another_value_in_any_field_is_one_break():
    answers = [EXAMPLE, OTHER, replace(EXAMPLE, judgment=9)]
    for place in range(3):
        for field in fields(Answer):
            links = sealed(answers)
            donor = OTHER if answers[place] is not OTHER else EXAMPLE
            changed = replace(answers[place], **{field.name: getattr(donor, field.name)})
            links[place] = links[place]._replace(answer=changed)
            assert list(breaks(links)) == [Break(Fault.DIFFERS, place + 1, place + 1)], field.name


@given(CHAINS, st.data())
def test_answers_that_are_gone_or_in_each_others_place_are_named(answers, data):
    links = sealed(answers)
    assert list(breaks([])) == list(breaks(links)) == []
    place = data.draw(places(links))
    gone = [*links[:place], links[place]._replace(answer=None), *links[place + 1 :]]
    assert list(breaks(gone)) == [Break(Fault.GONE, place + 1, place + 1)]
    other = data.draw(places(links).filter(lambda number: number != place))
    swapped = list(links)
    for here, there in ((place, other), (other, place)):
        swapped[here] = links[here]._replace(answer=answers[there])
    assert [found.first for found in breaks(swapped)] == sorted((place + 1, other + 1))


@given(CHAINS, st.data())
def test_seals_that_are_gone_with_their_answers_are_a_gap(answers, data):
    links = sealed(answers)
    first = data.draw(st.integers(1, len(links) - 1))
    last = data.draw(st.integers(first, len(links) - 1))
    left = [link for link in links if not first <= link.number <= last]
    assert list(breaks(left)) == [Break(Fault.MISSING, first, last)]


@given(CHAINS, ANSWERS, st.data())
def test_a_forged_answer_with_its_seal_is_found_at_the_next(answers, more, data):
    links = sealed(answers)
    place = data.draw(st.integers(0, len(links) - 2))
    [digest] = chain([more], after=links[place - 1].digest if place else START)
    forged = Link(place + 1, digest, more)
    moved = [link._replace(number=link.number + 1) for link in links[place:]]
    for chained in (
        [*links[:place], forged, *moved],
        [*links[:place], forged, *links[place + 1 :]],
    ):
        assert next(breaks(chained)) == Break(Fault.DIFFERS, place + 2, place + 2)


@given(CHAINS, st.data())
def test_a_rewritten_seal_is_found_with_the_next(answers, data):
    links = sealed(answers)
    place = data.draw(places(links))
    links[place] = links[place]._replace(digest=bytes(32))
    found = [each.first for each in breaks(links)]
    assert found == [place + 1, place + 2][: len(links) - place]
