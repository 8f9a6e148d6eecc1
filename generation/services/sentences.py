"""Sentences come in: from files, and as the final texts of candidates."""

import hashlib
import uuid
from collections.abc import Sequence

from generation.models import Candidate, Sentence


def digest_of(text: str) -> uuid.UUID:
    """The first 128 bits of the SHA-256 of a text, by which a corpus knows its sentences."""
    return uuid.UUID(bytes=hashlib.sha256(text.encode()).digest()[:16])


def derive(finals: Sequence[tuple[Candidate, str]]) -> list[Sentence]:
    """Make a sentence of the final text of each candidate, so that it can be judged and rewritten."""
    return Sentence.objects.bulk_create(
        Sentence(
            corpus_id=candidate.sentence.corpus_id,
            group=candidate.sentence.group,
            text=text,
            digest=digest_of(text),
            candidate=candidate,
        )
        for candidate, text in finals
    )
