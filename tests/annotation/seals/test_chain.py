"""Whatever is done to a sealed answer or to its seal is found, and the first one is named."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from annotation.seals.chain import (
    FURTHER,
    START,
    Answer,
    Break,
    Fault,
    Link,
    breaks,
    chain,
    content,
)

TEXTS, KEYS = st.text(max_size=8), st.integers(1, 2**63 - 1)
ANSWERS = st.builds(
    Answer, judgment=KEYS, pair=st.uuids().map(str), sentence1=TEXTS, sentence2=TEXTS,
    annotator=KEYS, label=st.integers(0, 3), seconds=st.none() | st.floats(0, 1e6),
    number=st.none() | KEYS, submitted_at=st.none() | st.datetimes(timezones=st.just(UTC)),
)  # fmt: skip
CHAINS = st.lists(ANSWERS, min_size=2, max_size=5, unique=True)
PAIR = "0c0f7e05-6d5c-4f0e-8f35-9a5f6e1f2b3a"
TIME = datetime(1970, 1, 1, 0, 0, 1, 5, tzinfo=UTC)
EXAMPLE = Answer(7, PAIR, "Ada met Bo.", "Bo met Ada – “once”.", True, 3, 1, 2.5, None, 12, TIME)
CORRECTION = Answer(
    9, PAIR, None, None, False, 3, None, 4.5, None, 1, TIME,
    action="fix", text="Bo met Ada.", candidate="Bo meet Ada.",
)  # fmt: skip
REASON = replace(EXAMPLE, text="Who met whom.", words=[[1, 0, 3], [2, 0, 2]])
DONORS = {"words": REASON} | dict.fromkeys(FURTHER, CORRECTION)
OTHER = Answer(8, "other", "Cy.", "Di.", False, 4, 0, None, True, None, None)


def sealed(answers):
    return list(map(Link, range(1, len(answers) + 1), chain(answers), answers))


def test_digests_are_made_of_the_one_before_and_of_the_content_in_ascii():
    expected = (
        rb'[7,"0c0f7e05-6d5c-4f0e-8f35-9a5f6e1f2b3a","Ada met Bo.",'
        rb'"Bo met Ada \u2013 \u201conce\u201d.",true,3,1,2.5,null,12,1000005]'
    )
    assert content(EXAMPLE) == expected
    elsewhere = EXAMPLE.submitted_at.astimezone(timezone(timedelta(hours=5)))
    assert content(replace(EXAMPLE, submitted_at=elsewhere)) == expected
    of_correction = b'null,null,false,3,null,4.5,null,1,1000005,"fix","Bo met Ada.","Bo meet Ada."]'
    assert content(CORRECTION) == f'[9,"{PAIR}",'.encode() + of_correction
    of_reason = b',12,1000005,"","Who met whom.","",[[1,0,3],[2,0,2]]]'
    assert content(REASON) == expected.replace(b",12,1000005]", of_reason)
    assert content(replace(REASON, text="")).endswith(b'"","","",[[1,0,3],[2,0,2]]]')
    assert content(OTHER) == b'[8,"other","Cy.","Di.",false,4,0,null,true,null,null]'
    first, second = chain([EXAMPLE, OTHER])
    assert first == sha256(bytes(32) + content(EXAMPLE)).digest()
    assert second == sha256(first + content(OTHER)).digest()
    assert [second] == list(chain([OTHER], after=first))
    # Another value in any field is one break.
    answers = [EXAMPLE, OTHER, replace(EXAMPLE, judgment=9)]
    for place in range(3):
        for field in fields(Answer):
            links = sealed(answers)
            other = OTHER if answers[place] is not OTHER else EXAMPLE
            donor = DONORS.get(field.name, other)
            changed = replace(answers[place], **{field.name: getattr(donor, field.name)})
            links[place] = links[place]._replace(answer=changed)
            assert list(breaks(links)) == [Break(Fault.DIFFERS, place + 1, place + 1)], field.name


@given(CHAINS, ANSWERS, st.data())
def test_what_is_gone_moved_forged_or_rewritten_is_named(answers, more, data):
    links, number = sealed(answers), len(answers)
    assert list(breaks([])) == list(breaks(links)) == []
    first, last = sorted(data.draw(st.lists(st.integers(0, number - 1), min_size=2, max_size=2)))
    link, more = links[first], replace(more, judgment=-1)

    def found_with(*changed, until=first + 1):
        return list(breaks([*links[:first], *changed, *links[until:]]))

    gone = Break(Fault.GONE, first + 1, first + 1)
    assert found_with(link._replace(answer=None)) == [gone]
    rewritten = found_with(link._replace(digest=bytes(32)))
    assert [each.first for each in rewritten] == [first + 1, first + 2][: number - first]
    if last < number - 1:  # the last seals of all are missed by nothing that follows
        missing = Break(Fault.MISSING, first + 1, last + 1)
        assert found_with(until=last + 1) == [missing]
        [digest] = chain([more], after=links[first - 1].digest if first else START)
        forged, next_one = Link(first + 1, digest, more), first + 2
        moved = [each._replace(number=each.number + 1) for each in links[first:]]
        for chained in (found_with(forged), found_with(forged, *moved, until=number)):
            assert chained[0] == Break(Fault.DIFFERS, next_one, next_one)
    if first != last:
        swapped = [link._replace(answer=answers[last]), *links[first + 1 : last]]
        swapped.append(links[last]._replace(answer=answers[first]))
        found = found_with(*swapped, until=last + 1)
        assert [each.first for each in found] == [first + 1, last + 1]
