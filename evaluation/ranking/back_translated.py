"""First sentences that went into another language and back (partial paraphrases 5.2)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from evaluation.ranking.scorers import jaccard
from evaluation.ranking.swaps import DEGREES, Candidate, Group, seeded_draw
from generation.nlp.back_translation import BackTranslator, Translations

# A sentence takes seconds on one core; 50 are enough to group by similar length.
AT_ONCE = 50


class Check(StrEnum):
    """What became of the first sentence of a group."""

    UNCHECKED = "unchecked"
    ACCEPTED = "accepted"
    FIXED = "fixed"
    REJECTED = "rejected"
    REPEATS = "repeats"
    NOT_DRAWN = "not_drawn"
    TOO_LONG = "too_long"
    FAILED = "translation_failed"
    ONLY_IDENTICAL = "only_identical"


# Those that a person's answer leads to, and those of groups that have a row.
AFTER_CHECK = (Check.ACCEPTED, Check.FIXED, Check.REJECTED, Check.REPEATS)
WITH_ROW = (Check.UNCHECKED, Check.ACCEPTED, Check.FIXED)


@dataclass(frozen=True, slots=True)
class BackTranslatedRow:
    """What replaces the first sentence of a pair's group: `text`, by a machine or a person.

    `machine` is the text of the machine; a fixed text differs from it.
    """

    pair: str
    text: str
    machine: str
    check: Check = Check.UNCHECKED


def back_translate_groups(
    groups: Sequence[Group], translator: BackTranslator, *, seed: int, sample: int | None = None
) -> Iterator[BackTranslatedRow | Check]:
    """Yield a row, or why there is none, for each group, in order.

    Of a sentence's round trips, the one that shares the fewest words with the pivot is taken, and
    of several the likeliest. `sample` groups are drawn by seed and pair; None means all.
    """
    draw = seeded_draw(seed, "back translation")
    pairs_drawn = {
        group.pair for group in sorted(groups, key=lambda group: draw(group.pair))[:sample]
    }
    for start in range(0, len(groups), AT_ONCE):
        batch = groups[start : start + AT_ONCE]
        texts = dict.fromkeys(_first_text(group) for group in batch if group.pair in pairs_drawn)
        trips = translator.trips(list(texts)) if texts else {}
        for group in batch:
            yield _row_or_reason(group, trips) if group.pair in pairs_drawn else Check.NOT_DRAWN


def _first_text(group: Group) -> str:
    return group.candidates[0].text


def _row_or_reason(
    group: Group, trips: Mapping[str, Translations | None]
) -> BackTranslatedRow | Check:
    source = _first_text(group)
    if source not in trips:
        return Check.TOO_LONG
    if (translations := trips[source]) is None:
        return Check.FAILED
    known_texts = {text.casefold() for text in _texts_of(group)}
    new_texts = [trip.text for trip in translations if trip.text.casefold() not in known_texts]
    if not new_texts:
        return Check.ONLY_IDENTICAL
    text = min(new_texts, key=lambda text: jaccard(text, group.pivot))
    return BackTranslatedRow(group.pair, text, text)


def _texts_of(group: Group) -> set[str]:
    return {group.pivot, *(candidate.text for candidate in group.candidates)}


def apply_answers(
    rows: Iterable[BackTranslatedRow],
    groups: Iterable[Group],
    answers: Mapping[str, tuple[Check, str]],
) -> Iterator[BackTranslatedRow | Check]:
    """Yield what people left of the rows, in order; `answers` are an outcome and a text by pair.

    A fix that equals the pivot or a text of a lower degree leaves no row.
    """
    group_of = {group.pair: group for group in groups}
    for row in rows:
        check, fixed_text = answers[row.pair]
        text = fixed_text if check is Check.FIXED else row.machine
        if check not in WITH_ROW:
            yield check
        elif text in _texts_of(group_of[row.pair]) - {_first_text(group_of[row.pair])}:
            yield Check.REPEATS
        else:
            yield replace(row, text=text, check=check)


def replace_paraphrases(groups: Iterable[Group], rows: Iterable[BackTranslatedRow]) -> list[Group]:
    """Return the groups that have a row, with its text as their paraphrase."""
    texts = {row.pair: row.text for row in rows}
    return [
        replace(group, candidates=(Candidate(texts[group.pair], DEGREES[0]), *group.candidates[1:]))
        for group in groups
        if group.pair in texts
    ]
