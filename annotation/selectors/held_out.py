"""Answers that are held out, and those beside them."""

from annotation.models import Judgment


def is_fixed(judgment: Judgment) -> bool:
    """Whether an answer stays as it is since one of its pair was held out after it was given.

    The pair may have been decided before, and stand in a release; a hidden one never does.
    """
    of_pair = Judgment.objects.filter(pair=judgment.pair_id, pair__known_label=None)
    return of_pair.filter(held_out__created_at__gt=judgment.submitted_at).exists()
