"""Flags as sentences for annotators, in the active language.

The sentences are built from the figures stored as evidence of a flag or of its follow-up.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.stats.quality import Kind

WORDS = {
    Kind.FAST: _(
        "%(fast)d of the last %(answers)d answers took less than %(floor_seconds)g seconds each."
    ),
    Kind.ONE_LABEL: _(
        "%(most)d of the last %(answers)d answers are one and the same; "
        "others gave it to %(of_others)d %% of these pairs."
    ),
    Kind.DISAGREES: _(
        "%(agreeing)d of the last %(answers)d answers are those of most others; "
        "%(usual)d %% is usual."
    ),
    Kind.KNOWN_WRONG: _("%(wrong)d of %(answers)d gold pairs were answered incorrectly."),
}
SHARES = ("of_others", "usual")


def of(evidence: Mapping[str, Any]) -> str:
    """Return the sentence. Raises KeyError if the evidence lacks the flag or its figures."""
    percent = {name: round(100 * evidence[name]) for name in SHARES if name in evidence}
    return str(WORDS[evidence["flag"]]) % {**evidence, **percent}
