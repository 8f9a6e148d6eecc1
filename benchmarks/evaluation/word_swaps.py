"""Pairs as long as real ones: sentences of the demonstration, and what exchanges make of them.

A paraphrase has the halves of its sentence exchanged, another pair two words.
"""

import json
import random

from benchmarks.generation.parts import DEMONSTRATION
from evaluation.data import Pairs

SHORTEST = 8


def word_swaps(count: int, *, seed: int) -> Pairs:
    """Return so many pairs, half of them paraphrases."""
    lines = DEMONSTRATION.read_text(encoding="utf-8").splitlines()
    sentences = [json.loads(line)["text"].split() for line in lines]
    sentences = [words for words in sentences if len(words) >= SHORTEST]
    draw = random.Random(seed)
    return Pairs.of(_pair(f"swap-{n}", draw.choice(sentences), n % 2, draw) for n in range(count))


def _pair(
    name: str, words: list[str], label: int, draw: random.Random
) -> tuple[str, str, str, int]:
    if label:
        half = draw.randrange(2, len(words) - 2)
        changed = words[half:] + words[:half]
    else:
        changed = list(words)
        one, other = draw.sample(range(len(words)), 2)
        changed[one], changed[other] = words[other], words[one]
    return name, " ".join(words), " ".join(changed), label
