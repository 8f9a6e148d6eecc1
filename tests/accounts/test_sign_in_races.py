"""Forty processes that guess at once get no further than one, on both engines."""

import pytest

from tests.services.installation import Installation

GUESS = "from tests.accounts import guessers; guessers.guess({arguments})"
PROCESSES, SEVERAL = 40, 16


@pytest.fixture
def evaluated(installation: Installation):
    installation.run("from tests.accounts import guessers; guessers.prepare()")

    def together(arguments: str, *, processes: int) -> int:
        code = GUESS.format(arguments=arguments)
        printed = installation.run_together(code, processes=processes, timeout=300)
        return sum(int(each.splitlines()[-1]) for each in printed)

    return together


def test_forty_at_once_have_ten_guesses_between_them(evaluated):
    assert evaluated("times=2", processes=PROCESSES) == 10


def test_control_where_tries_are_looked_up_before_they_are_counted_more_get_through(evaluated):
    assert evaluated("times=2, guarded=False", processes=SEVERAL) > 10
