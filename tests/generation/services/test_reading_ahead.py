"""Lines of a file come as they are in it, measured, however many are read at once."""

import pytest

from generation.nlp.measuring import likenesses
from generation.pair_reader import PairLine
from generation.records import Refusal, UnreadableFile
from generation.services import reading_ahead
from generation.services.reading_ahead import measured


@pytest.fixture(autouse=True)
def _two_lines_at_once(monkeypatch):
    monkeypatch.setattr(reading_ahead, "LINES_AT_ONCE", 2)


def lines(number, damaged=False):
    for line in range(number):
        yield PairLine(line, f"A cat sees {line}.", f"{line} sees a cat.")
    if damaged:
        raise UnreadableFile("Damaged.")


def test_every_line_comes_once_in_order_with_its_measures_also_before_a_file_breaks_off():
    for number in (0, 1, 2, 3, 7):
        chunks, came = list(measured(lines(number))), []
        assert {chunk.lines for chunk, _ in chunks[:-1]} <= {2}
        assert all(likeness == likenesses(chunk.texts) for chunk, likeness in chunks)
        with pytest.raises(UnreadableFile, match="Damaged"):
            came.extend(measured(lines(number, damaged=True)))
        for found in (chunks, came):
            assert [each.line for chunk, _ in found for each in chunk.rewrites] == [*lines(number)]


def test_a_line_that_no_corpus_would_take_is_refused_and_one_chunk_read_ahead():
    refused = [PairLine(1, "Same.", "Same."), PairLine(2, "One.", "Two.", method="magic")]
    chunks = list(measured([*refused, Refusal(3, "empty")]))
    reasons = [(each.line, each.reason) for chunk, _ in chunks for each in chunk.refusals]
    assert reasons == [(1, "identical"), (2, "unknown_method"), (3, "empty")]
    chunks = measured(given := lines(9))
    next(chunks)
    assert next(given).line == 4
    chunks.close()
