"""Decides which pairs of a source release appear in translation (PAWS-X 2)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from annotation.stats.labels import SAME_OR_DIFFERENT, Scheme
from releases.dataset.rows import ReleasedPair, Split
from releases.dataset.translated.files import BACK, TRANSLATED
from releases.dataset.translated.rows import LeftOut, TranslationRow, UntranslatableRow

# A translation that occurs in two splits stays in the first of these.
ORDER: tuple[Split, ...] = ("test", "dev", "train")

PairsOfSplits = dict[Split, list[str]]
Reasons = dict[LeftOut, PairsOfSplits]
ByText = Mapping[str, TranslationRow]


class Waiting(ValueError):
    """Sentences of dev and test have neither a translation nor reasons why not."""

    def __init__(self, texts: Sequence[str]) -> None:
        noun = "sentence waits" if len(texts) == 1 else "sentences wait"
        super().__init__(
            f"{len(texts):,} {noun} for a translation, the first is: {texts[0]} Translate all "
            "sentences of dev and test before you build a release."
        )


class Pair(NamedTuple):
    """A pair of the source release, and the same in translation."""

    source: ReleasedPair
    made: ReleasedPair


@dataclass(frozen=True, slots=True)
class TranslatedReleasePlan:
    """The pairs of `translated` and of `translate_test`, both in the order of the source.

    `left_out` has the ids of pairs by reason and split.
    """

    pairs: tuple[ReleasedPair, ...] = ()
    back: tuple[ReleasedPair, ...] = ()
    left_out: Reasons = field(default_factory=dict)

    @property
    def silver(self) -> tuple[ReleasedPair, ...]:
        """None: pairs that only a method labelled are not translated."""
        return ()

    @property
    def totals(self) -> dict[str, Any]:
        """What is stored with the release besides its rows."""
        return {"left_out": {str(why): splits for why, splits in self.left_out.items()}}

    def figures(self, language: str) -> dict[str, Any]:
        """None: all figures follow from the rows."""
        return {}

    @property
    def collapsed(self) -> PairsOfSplits:
        """The ids of pairs that are no paraphrases although their translations are equal."""
        return collapsed(self.pairs)


def plan(
    pairs: Iterable[ReleasedPair],
    translations: Iterable[TranslationRow],
    untranslated: Iterable[UntranslatableRow],
    *,
    language: str,
    scheme: Scheme = SAME_OR_DIFFERENT,
) -> TranslatedReleasePlan:
    """Return what a release of these translations into `language` holds.

    `pairs` are those of labeled_final of the source release, with labels of this `scheme`; of dev
    and test, those that were drawn. People translate dev and test, machines train. Sentences of one
    text have one translation. Raises Waiting, and ValueError for a translation that is of no
    sentence.
    """
    pairs, rows = list(pairs), list(translations)
    people, machines = (
        translations_by_text(pairs, rows, by=by, language=language) for by in ("human", "machine")
    )
    _refuse_waiting(pairs, {*people, *(row.text for row in untranslated)})
    left_out = defaultdict[LeftOut, list[ReleasedPair]](list)
    pairs_with_translations = []
    for pair in pairs:
        translation = translate_pair(pair, machines if pair.split == "train" else people)
        if translation is None or _is_equal(translation, scheme):
            left_out[_reason(pair, translation)].append(pair)
        else:
            pairs_with_translations.append(Pair(pair, translation))
    if not machines:
        left_out.pop(LeftOut.NO_MACHINE_TRANSLATION, None)
    ids_apart = _pairs_apart(pairs_with_translations)
    translated_pairs = tuple(
        translation for _, translation in pairs_with_translations if translation.id in ids_apart
    )
    left_out[LeftOut.SHARED] += (
        translation for _, translation in pairs_with_translations if translation.id not in ids_apart
    )
    back_translated = tuple(back_translated_pairs(translated_pairs, rows, language=language))
    left_out[LeftOut.NO_MACHINE_TRANSLATION] += _ids_missing(translated_pairs, back_translated)
    reasons = {why: ids_by_split(left_out[why]) for why in LeftOut if left_out[why]}
    return TranslatedReleasePlan(translated_pairs, back_translated, reasons)


def translations_by_text(
    pairs: Iterable[ReleasedPair], rows: Iterable[TranslationRow], *, by: str, language: str
) -> dict[str, TranslationRow]:
    """Return the translations of people or machines by the text that they translate.

    Raises ValueError if one translates a sentence of no pair.
    """
    texts = dict(chain.from_iterable(map(ends, pairs)))
    rows_by_text = {}
    for row in rows:
        if (row.by, row.language) == (by, language):
            if row.translates not in texts:
                raise ValueError(f"{row.id} translates {row.translates}, which is in no pair")
            rows_by_text[texts[row.translates]] = row
    return rows_by_text


def translate_pair(pair: ReleasedPair, known: ByText) -> ReleasedPair | None:
    """Return a pair with the translations of its sentences; None if one has none."""
    return _replace_texts(pair, TRANSLATED, known.get(pair.text1), known.get(pair.text2))


def back_translated_pairs(
    pairs: Iterable[ReleasedPair], rows: Iterable[TranslationRow], *, language: str
) -> Iterator[ReleasedPair]:
    """Yield the translated pairs of dev and test of which both sentences were translated back."""
    rows = list(rows)
    texts = {row.id: row.text for row in rows if row.by == "human"}
    rows_by_text = {texts.get(row.translates, ""): row for row in rows if row.language != language}
    for pair in pairs:
        translation = _replace_texts(
            pair, BACK, rows_by_text.get(pair.text1), rows_by_text.get(pair.text2)
        )
        if translation is not None and pair.split != "train":
            yield translation


def collapsed(pairs: Iterable[ReleasedPair], scheme: Scheme = SAME_OR_DIFFERENT) -> PairsOfSplits:
    """Return the ids of pairs that are no paraphrases although their translations are equal."""
    if not scheme.is_binary:
        return {}
    return ids_by_split(pair for pair in pairs if pair.text1 == pair.text2 and not pair.label)


def ids_by_split(pairs: Iterable[ReleasedPair]) -> PairsOfSplits:
    """Return the ids of pairs by split: train, dev, test; only splits that have some."""
    ids = defaultdict[str | None, list[str]](list)
    for pair in pairs:
        ids[pair.split].append(pair.id)
    return {split: ids[split] for split in reversed(ORDER) if ids[split]}


def ends(pair: ReleasedPair) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return id and text of both sentences."""
    return (pair.sentence1, pair.text1), (pair.sentence2, pair.text2)


def _replace_texts(
    pair: ReleasedPair, subset: str, one: TranslationRow | None, other: TranslationRow | None
) -> ReleasedPair | None:
    if one is None or other is None:
        return None
    values = {"sentence1": one.id, "sentence2": other.id, "text1": one.text, "text2": other.text}
    return pair._replace(subset=subset, **values)  # type: ignore[arg-type]


def _refuse_waiting(pairs: Iterable[ReleasedPair], done: set[str]) -> None:
    sides = chain.from_iterable(ends(pair) for pair in pairs if pair.split != "train")
    if waiting := sorted({text for _, text in sides} - done):
        raise Waiting(waiting)


def _is_equal(made: ReleasedPair, scheme: Scheme) -> bool:
    """Return whether there is nothing to learn from a pair of dev or test, as PAWS leaves them out.

    Of two sides, that is a paraphrase; of other labels, any pair of equal sentences.
    """
    is_told = scheme.is_binary and made.label == 0
    return made.split != "train" and made.text1 == made.text2 and not is_told


def _reason(pair: ReleasedPair, made: ReleasedPair | None) -> LeftOut:
    if made is not None:
        return LeftOut.EQUAL
    return LeftOut.NO_MACHINE_TRANSLATION if pair.split == "train" else LeftOut.UNTRANSLATABLE


def _ids_missing(
    kept: Iterable[ReleasedPair], back: Sequence[ReleasedPair]
) -> Iterable[ReleasedPair]:
    """Return the pairs of dev and test that have no back translation, if any pair has one."""
    ids = {pair.id for pair in back}
    return [pair for pair in kept if back and pair.split != "train" and pair.id not in ids]


def _pairs_apart(pairs: Sequence[Pair]) -> set[str]:
    """Return the ids of pairs that share no translation with an earlier split of ORDER.

    What the source release shares between splits is shared in translation too.
    """
    sources = defaultdict[str | None, set[str]](set)
    for pair in (pair for pair, _ in pairs):
        sources[pair.split].update((pair.text1, pair.text2))
    texts_of_split = defaultdict[str | None, set[str]](set)
    ids: set[str] = set()
    for place, split in enumerate(ORDER):
        for source, translation in (pair for pair in pairs if pair.source.split == split):
            sides = ((source.text1, translation.text1), (source.text2, translation.text2))
            if not any(
                text in texts_of_split[earlier] and origin not in sources[earlier]
                for origin, text in sides
                for earlier in ORDER[:place]
            ):
                ids.add(translation.id)
                texts_of_split[split].update((translation.text1, translation.text2))
    return ids
