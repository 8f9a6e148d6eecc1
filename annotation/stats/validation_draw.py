"""Which translations a second person looks at, drawn from the seed of the study (PAWS-X 2)."""

from common.draws import draw


def place(seed: int, translation: str) -> float:
    """Return the place of a sentence in the draw, from 0 to 1, by the id of its translation.

    It is validated if that is below the share to validate, so the draw can be repeated.
    """
    return draw(seed, "validate", translation) / 2**64
