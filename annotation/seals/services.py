"""Appends the answers of decided pairs to the seal chain."""

import logging

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import Consensus, Seal
from annotation.seals import selectors as seals
from annotation.seals.chain import chain

# Short enough not to delay answers where there is one writer at a time.
PAIRS_AT_ONCE = 200

logger = logging.getLogger(__name__)


def seal_waiting() -> int:
    """Seal the answers of all decided pairs. Returns the number of pairs.

    Stops if another process is sealing.
    """
    pairs = 0
    while sealed := seal_next():
        pairs += sealed
    if pairs:
        logger.info("Sealed the answers of %d pairs; the head is %s", pairs, seals.head())
    return pairs


def seal_next() -> int:
    """Seal the longest-waiting pairs, at most PAIRS_AT_ONCE. Returns the number of pairs.

    Returns 0 if none wait, or if another process extended the chain meanwhile: seal numbers are
    unique, so of two concurrent appends only one succeeds.
    """
    if not seals.waiting_consensus().exists():
        return 0
    before = seals.head()
    try:
        return _append_seals()
    except IntegrityError:
        if seals.head() == before:
            raise
        return 0


@transaction.atomic
def _append_seals() -> int:
    pairs = _lock_decided_pairs()
    last, after = seals.head()
    answers = list(seals.unsealed_answers(pairs))
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


def _lock_decided_pairs() -> list[int]:
    """Keys of decided pairs, with their slots locked in the order of a turn."""
    keys = list(seals.waiting_consensus().values_list("pair", flat=True)[:PAIRS_AT_ONCE])
    slots = seals.evidence(keys).order_by("item", "number")
    list(slots.select_for_update(of=("self",), no_key=True).values_list("pk"))
    # Read again: some may have been reopened or sealed while this waited for the locks.
    return list(seals.waiting_consensus().filter(pair__in=keys).values_list("pair", flat=True))
