"""Sealing: the answers of decided pairs are appended to the chain, soon after and for good."""

import logging

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import Consensus, Judgment, Seal
from annotation.work.seal_chain import chain
from annotation.work.selectors import seals

# Short enough that nobody who answers meanwhile notices, where there is one writer at a time.
PAIRS_AT_ONCE = 200

logger = logging.getLogger(__name__)


def seal_waiting() -> int:
    """Seal the answers of all pairs that were decided since; returns how many pairs.

    Stops where somebody else is at it.
    """
    pairs = 0
    while some := seal_next():
        pairs += some
    if pairs:
        logger.info("Sealed the answers of %d pairs; the head is %s", pairs, seals.head())
    return pairs


def seal_next() -> int:
    """Seal some of the pairs that have waited longest; returns how many.

    0 where none waits, and where another process has carried the chain on meanwhile: a number of
    the chain exists once, so of two that append, one does it all and one nothing.
    """
    if not seals.waiting().exists():
        return 0
    before = seals.head()
    try:
        return _append()
    except IntegrityError:
        if seals.head() == before:
            raise
        return 0


@transaction.atomic
def _append() -> int:
    pairs = _locked()
    last, after = seals.head()
    answers = list(seals.unsealed(pairs))
    links = zip(answers, chain(answers, after=after), strict=True)
    Seal.objects.bulk_create(
        (
            Seal(number=number, judgment_id=answer.judgment, digest=digest)
            for number, (answer, digest) in enumerate(links, last + 1)
        ),
        batch_size=2000,
    )
    Consensus.objects.filter(pair__in=pairs).update(sealed_at=timezone.now())
    return len(pairs)


def _locked() -> list[int]:
    """Keys of decided pairs, whose slots are locked in the order in which a turn locks them."""
    found = list(seals.waiting().values_list("pair", flat=True)[:PAIRS_AT_ONCE])
    slots = Judgment.objects.filter(pair__in=found).order_by("pair", "slot")
    list(slots.select_for_update(of=("self",), no_key=True).values_list("pk"))
    # Once more: some may have been asked anew, or sealed, while this waited.
    return list(seals.waiting().filter(pair__in=found).values_list("pair", flat=True))
