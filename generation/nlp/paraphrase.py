"""The probability that a rewrite that people accept means the same as its source.

A logistic regression over the features of acceptance, fitted on candidates that were judged
together with their sources (`training/paraphrase.py`).
"""

from functools import cache
from pathlib import Path

from generation.nlp.logistic import Logistic

EMBEDDED_FILE = Path(__file__).parent / "embedded" / "en_paraphrase.json"


@cache
def load_embedded() -> Logistic:
    """Return the weights that ship with Pawsmith. Raises OSError or ValueError."""
    return Logistic.load(EMBEDDED_FILE)
