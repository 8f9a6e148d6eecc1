"""What each rule of word swap catches and loses: `... training.rules READINGS DATA_DIR`.

READINGS is the table of candidates that were read (docs/researcher/word_swap_readings.tsv), with
the places of their words; DATA_DIR has the texts that the table names. Each sentence is tagged
again, and each rule is applied alone. Prints how many flawed candidates a rule catches and how many
accepted ones it loses; in brackets, those that the preset default would take by their estimate.
"""

import argparse
import csv
import lzma
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from generation.nlp import acceptance, adverbials, noun_phrases, sense_rules
from generation.nlp.adapters.spacy_tagger import SpacyTagger
from generation.nlp.adverbials import FINITE, Adverbial
from generation.nlp.phrases import Phrase
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tagging import TaggedSentence, Token
from generation.nlp.templates import Sentence
from tools.training.acceptance import BALANCED, MOVES, NOT_FEATURES
from tools.training.treebanks import read_treebank

JOINED = "doubled word around a conjunction"


@dataclass(frozen=True, slots=True)
class Reading:
    """A candidate that was read: two phrases of a sentence that change places, or one that moves.

    `is_taken`: the preset default would take it by its estimate.
    """

    tokens: Sequence[Token]
    phrases: Sequence[Phrase]
    pair: tuple[Phrase, Phrase] | None
    adverbial: Adverbial | None
    is_accepted: bool
    is_taken: bool


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.training.rules", description=__doc__)
    parser.add_argument("readings", type=Path)
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    with options.readings.open(encoding="utf-8", newline="") as lines:
        rows = [
            row
            for row in csv.DictReader(lines, delimiter="\t")
            if row["one"] and row["set"] != BALANCED
        ]
    readings = list(rebuild(rows, options.data))
    print(f"{len(readings)} of {len(rows)} readings rebuilt")
    exchanges = [reading for reading in readings if reading.pair]
    moves = [reading for reading in readings if reading.adverbial]
    for title, readings_of_kind in (("exchanges", exchanges), ("moves", moves)):
        print(f"{title}: {_summary(readings_of_kind, readings_of_kind)}")
        refused_by: defaultdict[str, list[Reading]] = defaultdict(list)
        for reading in readings_of_kind:
            for rule in rules_against(reading):
                refused_by[rule].append(reading)
        for rule, refused in sorted(refused_by.items()):
            print(f"  {rule}: {_summary(refused, readings_of_kind)}")
        all_refused = [reading for reading in readings_of_kind if any(rules_against(reading))]
        print(f"  any of them: {_summary(all_refused, readings_of_kind)}")


def rebuild(rows: Sequence[dict[str, str]], data: Path) -> Iterator[Reading]:
    """Yield the readings whose words are found again in the sentences of DATA_DIR."""
    settings, weights = WordSwapSettings(), acceptance.load_embedded()
    names = [*rows[0]][NOT_FEATURES:]
    for row, tagged in zip(rows, SpacyTagger().tag(_texts(rows, data)), strict=True):
        features = {name: float(row[name] or 0) for name in names}
        least = settings.least_acceptance(tagged.text)
        is_taken = any(features.values()) and weights.probability(features) >= least
        places = int(row["one"]) - 1, int(row["other"]) - 1
        marks = row["mark"] == "accept", is_taken
        if row["rules"] == MOVES:
            adverbial = _adverbial(tagged.tokens, *places)
            yield Reading(tagged.tokens, (), None, adverbial, *marks)
        else:
            phrases = _phrases(tagged, settings, has_noun_phrases=bool(row["is_noun_phrase"]))
            by_start = {phrase.start: phrase for phrase in phrases}
            if by_start.keys() >= {*places}:
                one, other = (by_start[place] for place in sorted(places))
                yield Reading(tagged.tokens, phrases, (one, other), None, *marks)


def _texts(rows: Sequence[dict[str, str]], data: Path) -> Iterator[str]:
    lines_by_file: dict[str, list[str]] = {}
    for row in rows:
        file = row["file"]
        if file not in lines_by_file:
            lines_by_file[file] = list(_lines(file, data))
        yield lines_by_file[file][int(row["line"]) - 1]


def _lines(file: str, data: Path) -> Iterable[str]:
    """Return the sentences of a file, those of a treebank with spaces between all words."""
    path = data / f"{file}.txt.xz"
    if not path.exists():
        return (" ".join(sentence.words) for sentence in read_treebank(data, "pos", file))
    return lzma.decompress(path.read_bytes()).decode("utf-8").split("\n")


def _phrases(
    tagged: TaggedSentence, settings: WordSwapSettings, *, has_noun_phrases: bool
) -> list[Phrase]:
    phrases = Sentence.from_tagged(tagged, settings).phrases
    return list(
        noun_phrases.join_noun_phrases(tagged.tokens, phrases) if has_noun_phrases else phrases
    )


def _adverbial(tokens: Sequence[Token], start: int, main: int) -> Adverbial:
    """Return the adverbial at `start` that moves across the main clause at `main`."""
    mark, is_first = len(tokens) - 1, start < main
    before = max(start, main) - (tokens[max(start, main) - 1].text == ",")
    end = before if is_first else mark
    is_clause = any(token.tag in FINITE for token in tokens[start + (not is_first) : end])
    main_clause = slice(main, mark if is_first else before)
    return Adverbial(start, end, main_clause, is_clause, is_first)


def rules_against(reading: Reading) -> Iterator[str]:
    """Yield the names of the rules that refuse a reading."""
    if reading.adverbial:
        adverbial = reading.adverbial
        yield from (
            name
            for name, refuses in adverbials.REFUSED.items()
            if refuses(reading.tokens, adverbial)
        )
    elif reading.pair:
        starts = {phrase.start for phrase in reading.pair}
        for name, stays in sense_rules.STAYING.items():
            if not starts.isdisjoint(stays(reading.tokens, reading.phrases)):
                yield name
        for name, refuses_pair in sense_rules.REFUSED.items():
            if refuses_pair(reading.tokens, *reading.pair):
                yield name
        before = [token.text for token in reading.tokens]
        after = _exchange(before, *reading.pair)
        count = sense_rules.count_joined_to_themselves
        if count(after) > count(before):
            yield JOINED


def _exchange(words: Sequence[str], one: Phrase, other: Phrase) -> list[str]:
    between = words[one.end : other.start]
    first, second = words[one.start : one.end], words[other.start : other.end]
    return [*words[: one.start], *second, *between, *first, *words[other.end :]]


def _summary(refused: Sequence[Reading], readings: Sequence[Reading]) -> str:
    """Return how many of the flawed and of the accepted readings are refused."""
    parts = []
    for mark, is_accepted in (("flawed", False), ("accepted", True)):
        marked = [reading for reading in refused if reading.is_accepted == is_accepted]
        total = sum(reading.is_accepted == is_accepted for reading in readings)
        share = len(marked) / max(total, 1)
        taken = sum(reading.is_taken for reading in marked)
        parts.append(f"{len(marked)} of {total} {mark} = {share:.1%} ({taken})")
    return ", ".join(parts)


if __name__ == "__main__":
    main()
