"""The search for cycles is put off for a while, and goes on as it was."""

import gc

import pytest

from generation import collecting


def test_it_is_off_within_and_on_after() -> None:
    with collecting.put_off():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_error_within_turns_it_on_again() -> None:
    with pytest.raises(ValueError, match="oh"), collecting.put_off():
        raise ValueError("oh")
    assert gc.isenabled()


def test_where_it_was_off_it_stays_off() -> None:
    with collecting.put_off():
        with collecting.put_off():
            pass
        assert not gc.isenabled()
