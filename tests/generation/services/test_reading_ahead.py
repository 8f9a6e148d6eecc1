"""Lines of a file come as they stand in it, measured, however many are read at once."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generation.nlp.measuring import likenesses
from generation.pair_reader import PairLine
from generation.records import Fault, Refusal, UnreadableFile
from generation.services import reading_ahead
from generation.services.reading_ahead import measured


@pytest.fixture(autouse=True)
def _two_lines_at_once(monkeypatch):
    monkeypatch.setattr(reading_ahead, "LINES_AT_ONCE", 2)


def lines(number):
    return [PairLine(each, f"A cat sees {each}.", f"{each} sees a cat.") for each in range(number)]


def rewrites(chunks):
    return [each.line for chunk, _ in chunks for each in chunk.rewrites]


@settings(
    max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.lists(st.booleans(), max_size=9))
def test_every_line_comes_once_and_in_order(is_pair):
    given = [
        PairLine(number, f"A cat {number}.", "A dog.") if one else Refusal(number, "empty")
        for number, one in enumerate(is_pair)
    ]
    chunks = list(measured(given))
    assert rewrites(chunks) == [line for line in given if isinstance(line, PairLine)]
    refusals = [each for chunk, _ in chunks for each in chunk.refusals]
    assert refusals == [line for line in given if isinstance(line, Refusal)]
    assert all(chunk.lines <= 2 for chunk, _ in chunks)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 7])
def test_each_pair_comes_with_its_measures(number):
    for chunk, likeness in measured(lines(number)):
        assert likeness == likenesses(chunk.texts)


def test_a_line_that_no_corpus_would_take_is_refused():
    refused = [PairLine(1, "Same.", "Same."), PairLine(2, "One.", "Two.", method="magic")]
    [(chunk, _)] = measured(refused)
    assert chunk.refusals == [Refusal(1, Fault.IDENTICAL), Refusal(2, Fault.UNKNOWN_METHOD)]


@pytest.mark.parametrize("read", [0, 1, 2, 3, 4, 5])
def test_what_was_read_before_a_file_breaks_off_comes_first(read):
    def damaged() -> Iterator[PairLine]:
        yield from lines(read)
        raise UnreadableFile("Damaged.")

    came = []
    with pytest.raises(UnreadableFile, match="Damaged"):
        came.extend(measured(damaged()))
    assert rewrites(came) == lines(read)


def test_lines_are_read_no_further_ahead_than_one_chunk():
    taken = []
    chunks = measured(taken.append(line) or line for line in lines(9))
    next(chunks)
    assert len(taken) == 4
    chunks.close()
