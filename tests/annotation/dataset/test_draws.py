from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.draws import draw, shuffled

keys = st.lists(st.text(max_size=8), unique=True, max_size=30)


def test_a_draw_is_the_same_on_every_machine() -> None:
    assert draw(7, "split", "a sentence") == 4967599000550816019


def test_seed_purpose_and_key_all_matter() -> None:
    drawn = {
        draw(7, "split", "a"),
        draw(8, "split", "a"),
        draw(7, "sides", "a"),
        draw(7, "split", "b"),
    }
    assert len(drawn) == 4


@given(keys, st.integers())
def test_shuffling_keeps_every_key(some: list[str], seed: int) -> None:
    assert sorted(shuffled(some, seed=seed, purpose="split")) == sorted(some)


@given(keys, st.text(max_size=8))
def test_a_new_key_does_not_reorder_the_others(some: list[str], new: str) -> None:
    before = shuffled({*some} - {new}, seed=1, purpose="split")
    after = shuffled({*some, new}, seed=1, purpose="split")
    assert [key for key in after if key != new] == before


def test_about_half_of_all_draws_are_in_the_lower_half() -> None:
    low = sum(draw(3, "sides", str(number)) < 2**63 for number in range(10_000))
    assert 4_800 < low < 5_200
