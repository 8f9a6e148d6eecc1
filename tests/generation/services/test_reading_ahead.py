"""Lines of a file come as they stand in it, measured, however many are read at once."""

import pytest

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


def test_every_line_comes_once_in_order_and_each_pair_with_its_measures():
    for number in (0, 1, 2, 3, 7):
        given = [Refusal(2, "empty") if line.line == 2 else line for line in lines(number)]
        chunks = list(measured(given))
        came = [each for chunk, _ in chunks for each in chunk.refusals]
        came += [each.line for chunk, _ in chunks for each in chunk.rewrites]
        assert sorted(came, key=lambda line: line.line) == given
        assert [chunk.lines for chunk, _ in chunks][:-1] == [2] * ((number - 1) // 2)
        assert all(likeness == likenesses(chunk.texts) for chunk, likeness in chunks)


def test_a_line_that_no_corpus_would_take_is_refused():
    refused = [PairLine(1, "Same.", "Same."), PairLine(2, "One.", "Two.", method="magic")]
    [(chunk, _)] = measured(refused)
    assert chunk.refusals == [Refusal(1, Fault.IDENTICAL), Refusal(2, Fault.UNKNOWN_METHOD)]


def test_what_was_read_before_a_file_breaks_off_comes_first():
    def damaged(read):
        yield from lines(read)
        raise UnreadableFile("Damaged.")

    for read in (0, 1, 2, 5):
        came = []
        with pytest.raises(UnreadableFile, match="Damaged"):
            came.extend(measured(damaged(read)))
        assert [each.line for chunk, _ in came for each in chunk.rewrites] == lines(read)


def test_lines_are_read_no_further_ahead_than_one_chunk():
    taken = []
    chunks = measured(taken.append(line) or line for line in lines(9))
    next(chunks)
    assert len(taken) == 4
    chunks.close()
