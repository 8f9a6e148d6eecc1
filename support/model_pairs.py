"""Pairs to measure models with: the order set, and word swaps as long as real ones.

The pairs of the order set have the same words, and their label depends only on who does what to
whom. "The fox and the cat chased the dog" means the same when the two who chase change places, and
something else when one of them and the dog do. Both changes exchange two nouns at the same
distance, so measures of overlap and order, and models without word order, can only guess.
"""

import json
import random

from evaluation.data import Pairs
from support.places import DEMONSTRATION

NOUNS = ("fox", "cat", "dog", "horse", "teacher", "farmer", "king", "boy", "girl", "doctor")
VERBS = ("chased", "saw", "helped", "followed", "met", "found")
FRAMES = (
    # The words of a sentence, and which two nouns may change places.
    ("the {0} and the {1} {verb} the {2}", (0, 1), (1, 2)),
    ("the {0} {verb} the {1} and the {2}", (1, 2), (0, 1)),
)
# Of the sentences of the demonstration, in words.
SHORTEST = 8


def order_set(count: int, *, seed: int, first: int = 1) -> Pairs:
    """Return pairs of the order set, half of them paraphrases."""
    draw = random.Random(seed)
    return Pairs.from_rows(_reordered_pair(f"order-{first + n}", n % 2, draw) for n in range(count))


def _reordered_pair(name: str, label: int, draw: random.Random) -> tuple[str, str, str, int]:
    frame, same, different = draw.choice(FRAMES)
    nouns, verb = draw.sample(NOUNS, 3), draw.choice(VERBS)
    changed_nouns = list(nouns)
    one, other = same if label else different
    changed_nouns[one], changed_nouns[other] = nouns[other], nouns[one]
    return name, _sentence(frame, nouns, verb), _sentence(frame, changed_nouns, verb), label


def _sentence(frame: str, nouns: list[str], verb: str) -> str:
    return f"{frame.format(*nouns, verb=verb).capitalize()}."


def word_swaps(count: int, *, seed: int) -> Pairs:
    """Return sentences of the demonstration with others that are made of them by exchanges.

    A paraphrase, every other pair, has the halves of its sentence exchanged; the rest two words.
    """
    lines = DEMONSTRATION.read_text(encoding="utf-8").splitlines()
    sentences = [json.loads(line)["text"].split() for line in lines]
    sentences = [words for words in sentences if len(words) >= SHORTEST]
    draw = random.Random(seed)
    return Pairs.from_rows(
        _swapped_pair(f"swap-{n}", draw.choice(sentences), n % 2, draw) for n in range(count)
    )


def _swapped_pair(
    name: str, words: list[str], label: int, draw: random.Random
) -> tuple[str, str, str, int]:
    if label:
        half = draw.randrange(2, len(words) - 2)
        changed_words = words[half:] + words[:half]
    else:
        changed_words = list(words)
        one, other = draw.sample(range(len(words)), 2)
        changed_words[one], changed_words[other] = words[other], words[one]
    return name, " ".join(words), " ".join(changed_words), label
