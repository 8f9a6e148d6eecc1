"""Pairs with the same words, whose label depends only on who does what to whom.

"The fox and the cat chased the dog" means the same when the two who chase change places, and
something else when one of them and the dog do. Both changes exchange two nouns at the same
distance, so measures of overlap and order, and models without word order, can only guess.
"""

import random

from evaluation.data import Pairs

NOUNS = ("fox", "cat", "dog", "horse", "teacher", "farmer", "king", "boy", "girl", "doctor")
VERBS = ("chased", "saw", "helped", "followed", "met", "found")
FRAMES = (
    # The words of a sentence, and which two nouns may change places.
    ("the {0} and the {1} {verb} the {2}", (0, 1), (1, 2)),
    ("the {0} {verb} the {1} and the {2}", (1, 2), (0, 1)),
)


def order_set(count: int, *, seed: int, first: int = 1) -> Pairs:
    """Return so many pairs, half of them paraphrases."""
    draw = random.Random(seed)
    return Pairs.of(_pair(f"order-{first + n}", n % 2, draw) for n in range(count))


def _pair(name: str, label: int, draw: random.Random) -> tuple[str, str, str, int]:
    frame, same, different = draw.choice(FRAMES)
    nouns, verb = draw.sample(NOUNS, 3), draw.choice(VERBS)
    changed = list(nouns)
    one, other = same if label else different
    changed[one], changed[other] = nouns[other], nouns[one]
    return name, _sentence(frame, nouns, verb), _sentence(frame, changed, verb), label


def _sentence(frame: str, nouns: list[str], verb: str) -> str:
    return f"{frame.format(*nouns, verb=verb).capitalize()}."
