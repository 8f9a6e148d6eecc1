"""How much better carelessness explains answers: by hand, and how often the honest are accused."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.likelihood import of_careless, of_events, of_shares


def test_nothing_speaks_for_neither():
    assert of_careless(np.array([]), np.array([])) == 0


def test_three_events_by_hand():
    # Each is five times as likely of the careless. Begun at the first: 125; at any: (125+25+5)/3.
    ratio = of_events([True] * 3, honest=0.1, careless=0.5)
    assert ratio == pytest.approx(log(0.8 * 125 + 0.2 * (125 + 25 + 5) / 3))


def test_who_begins_late_is_seen_in_spite_of_a_good_past():
    past, since = [False] * 150, [True] * 12
    assert of_events(past + since, honest=0.05, careless=0.5) > log(1000)


def test_shares_are_weighed_by_hand():
    labels, honest = np.array([1.0]), np.array([0.5])
    ratio = of_shares(labels, honest, {0.2: 0.5, 0.8: 0.5})
    assert ratio == pytest.approx(0)  # (0.2 + 0.8) / 2 is what the honest account says as well


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.data())
def test_a_further_event_never_speaks_for_the_person(events, data):
    place = data.draw(st.integers(0, len(events) - 1))
    more = [*events[:place], True, *events[place + 1 :]]
    assert of_events(more, honest=0.05, careless=0.5) >= of_events(
        events, honest=0.05, careless=0.5
    )


def test_the_honest_are_rarely_accused_however_often_one_looks():
    drawn = np.random.default_rng(1)
    bound, people = 0.05, 300
    accused = 0
    for _ in range(people):
        events = list(drawn.random(60) < 0.1)
        looks = (of_events(events[:n], honest=0.1, careless=0.5) for n in range(1, 61))
        accused += any(ratio >= -log(bound) for ratio in looks)
    assert 0 < accused / people <= bound
