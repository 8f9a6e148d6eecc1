"""Names and their probabilities, from probabilities of tokens."""

import numpy as np
import pytest
from numpy.typing import NDArray

from generation.nlp.adapters import name_spans
from generation.nlp.adapters.name_spans import Calibration

# Columns: outside, begin person, inside person, begin place, inside place.
OUTSIDE = [0.9, 0.05, 0.0, 0.05, 0.0]
BEGIN_PERSON = [0.1, 0.6, 0.0, 0.3, 0.0]
INSIDE_PERSON = [0.2, 0.1, 0.5, 0.0, 0.2]
BEGIN_PLACE = [0.0, 0.2, 0.0, 0.8, 0.0]


def _decode(*rows: list[float], first: tuple[int, ...] = (0,)) -> name_spans.NameSpans:
    marks: NDArray[np.bool_] = np.isin(np.arange(len(rows)), first)
    return name_spans.decode(np.array(rows, np.float32), marks)


def _spans(names: name_spans.NameSpans) -> list[tuple[int, int, int]]:
    return list(zip(names.starts.tolist(), names.ends.tolist(), names.types.tolist(), strict=True))


def test_text_without_names_gives_none() -> None:
    assert _spans(_decode(OUTSIDE, OUTSIDE)) == []


def test_a_name_goes_on_while_inside_outweighs_begin() -> None:
    assert _spans(_decode(OUTSIDE, BEGIN_PERSON, INSIDE_PERSON, OUTSIDE)) == [(1, 3, 0)]


def test_a_name_at_the_end_of_the_text_is_closed() -> None:
    assert _spans(_decode(OUTSIDE, BEGIN_PERSON, INSIDE_PERSON)) == [(1, 3, 0)]


def test_two_beginnings_are_two_names() -> None:
    assert _spans(_decode(BEGIN_PERSON, BEGIN_PLACE)) == [(0, 1, 0), (1, 2, 1)]


def test_inside_without_a_name_before_it_begins_one() -> None:
    assert _spans(_decode(OUTSIDE, INSIDE_PERSON)) == [(1, 2, 0)]


def test_a_name_never_crosses_into_the_next_sentence() -> None:
    assert _spans(_decode(BEGIN_PERSON, INSIDE_PERSON, first=(0, 1))) == [(0, 1, 0), (1, 2, 0)]


def test_a_token_is_named_when_no_single_type_outweighs_outside() -> None:
    torn = [0.4, 0.3, 0.0, 0.3, 0.0]
    assert len(_spans(_decode(torn))) == 1


def test_the_type_is_the_one_with_the_greatest_sum_over_the_name() -> None:
    placed = [0.0, 0.0, 0.1, 0.0, 0.9]
    assert _spans(_decode(BEGIN_PERSON, placed)) == [(0, 2, 1)]


def test_the_raw_probability_counts_every_token_and_the_stop() -> None:
    names = _decode(BEGIN_PERSON, INSIDE_PERSON, [0.8, 0.0, 0.2, 0.0, 0.0])
    assert names.raw == pytest.approx([0.9 * 0.7 * 0.8])


def test_the_next_sentence_cannot_lower_a_names_probability() -> None:
    names = _decode(BEGIN_PERSON, INSIDE_PERSON, first=(0, 1))
    assert names.raw[0] == pytest.approx(0.9)


def test_calibration_of_slope_one_changes_nothing() -> None:
    raw = np.array([0.01, 0.5, 0.99])
    assert Calibration()(raw) == pytest.approx(raw)


def test_calibration_keeps_the_order() -> None:
    assert np.all(np.diff(Calibration(slope=0.4, intercept=-1.0)(np.linspace(0, 1, 50))) > 0)


def test_certainty_stays_a_number() -> None:
    assert np.all(np.isfinite(name_spans.logit(np.array([0.0, 1.0]))))
