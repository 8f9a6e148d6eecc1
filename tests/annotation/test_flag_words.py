"""What flags say: by hand, and in the language of whoever reads."""

import pytest

from annotation import flag_words

FAST = {"flag": "fast", "answers": 12, "fast": 8, "floor_seconds": 2.0, "ratio": 9.1}
ONE_LABEL = {"flag": "one_label", "answers": 20, "same": 0, "most": 20, "of_others": 0.5}
DISAGREES = {"flag": "disagrees", "answers": 20, "agreeing": 10, "usual": 0.951, "pace": 0.0}
KNOWN_WRONG = {"flag": "known_wrong", "answers": 8, "wrong": 7}


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        (FAST, "8 of the last 12 answers took less than 2 seconds each."),
        (
            FAST | {"floor_seconds": 1.5},
            "8 of the last 12 answers took less than 1.5 seconds each.",
        ),
        (
            ONE_LABEL,
            "20 of the last 20 answers are one and the same; "
            "others gave it to 50 % of these pairs.",
        ),
        (DISAGREES, "10 of the last 20 answers are those of most others; 95 % is usual."),
        (KNOWN_WRONG, "7 of 8 pairs whose answer is known were answered otherwise."),
    ],
    ids=lambda given: given["flag"] if isinstance(given, dict) else "",
)
def test_a_flag_is_put_into_words(evidence: dict[str, object], words: str) -> None:
    assert flag_words.of(evidence) == words


@pytest.mark.parametrize(
    "evidence", [{}, {"flag": "fast"}, {"flag": "a rule of old", "answers": 12}]
)
def test_without_the_figures_of_a_flag_there_are_no_words(evidence: dict[str, object]) -> None:
    with pytest.raises(KeyError):
        flag_words.of(evidence)
