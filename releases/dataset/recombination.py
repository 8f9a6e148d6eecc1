"""Composes new labelled pairs from judged ones (PAWS 3.2, "Label Balancing").

Sentences are nodes, equal texts are one node, and labelled pairs are edges. A walk consists of a
swap pair, extended at either end by back translations, and composes the two sentences at its ends:
only paraphrases give a paraphrase, exactly one non-paraphrase gives a non-paraphrase, two or more
give no label. From a swap pair (s1, s2), a back translation s1' of s1 and a back translation s2' of
s2 follow (s2, s1'), (s2', s1) and (s2', s1').

Walks are searched breadth-first, not listed one by one: of all walks that reach the same text with
the same number of non-paraphrases, only the shortest is kept. So the work grows with the number of
pairs and of composed pairs, however densely sentences are connected.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product
from typing import NamedTuple
from uuid import UUID, uuid5

# The id of a composed pair is a version 5 UUID in this namespace, from the ids of its sentences.
NAMESPACE = UUID("8a5d9c1e-3f0b-4b60-9f43-2d1c57b6a9e4")
# A walk over two or more non-paraphrases gives no label.
SILENT = 2


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """An edge. `label` is None for a pair that was not kept, which composes nothing."""

    id: str
    sentence1: str
    sentence2: str
    method: str
    label: int | None


@dataclass(frozen=True, slots=True)
class RecombinedPair:
    """A composed pair; `via` holds the ids of its judged pairs from `sentence1` to `sentence2`."""

    id: str
    sentence1: str
    sentence2: str
    label: int
    via: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recombination:
    """The composed pairs, ordered by id.

    `conflicts` counts the pairs of texts that get both labels, `unknown` those that are connected
    but get none. Both are left out.
    """

    pairs: tuple[RecombinedPair, ...]
    conflicts: int
    unknown: int


class Edge(NamedTuple):
    """A back translation seen from one of its texts: the sentence and text at the far end."""

    sentence: str
    text: str
    pair: str
    zeros: int


class Arm(NamedTuple):
    """The shortest walk to a text: the sentence there, the pairs taken, the texts visited.

    Arms of equal length are compared as tuples; `zeros` counts non-paraphrases up to two.
    """

    sentence: str
    via: tuple[str, ...]
    texts: tuple[str, ...]
    zeros: int

    def extended(self, edge: Edge) -> "Arm":
        """Return the arm extended by one pair."""
        zeros = min(self.zeros + edge.zeros, SILENT)
        return Arm(edge.sentence, (*self.via, edge.pair), (*self.texts, edge.text), zeros)


class Way(NamedTuple):
    """A walk between two sentences in text order; `is_path` if it repeats no text."""

    length: int
    sentence1: str
    sentence2: str
    via: tuple[str, ...]
    is_path: bool


Texts = Mapping[str, str]
Edges = Mapping[str, Sequence[Edge]]
Ends = tuple[str, str]
# The shortest walks that label two texts as non-paraphrase and as paraphrase.
Sayings = list[Way | None]


def recombine(
    pairs: Iterable[JudgedPair],
    *,
    texts: Texts | None = None,
    swap_methods: Sequence[str] = ("word_swap",),
    reach: int | None = 1,
) -> Recombination:
    """Compose judged pairs into new ones.

    `texts` gives the text of each sentence by its id; without it every id is its own text. Labelled
    pairs whose method is not in `swap_methods` count as back translations. A walk takes one swap
    pair and, at each end of it, up to `reach` back translations (the paper: 1; None: no limit);
    pairs of two equal texts are ignored. Two texts that were judged, kept or not, are not paired
    again. Others are paired by their shortest walk if all walks give the same label, unless even
    the shortest repeats a text: then they are connected without the swap, which implies nothing
    about them. The order of the pairs has no effect.

    Raises KeyError if `texts` lacks a sentence.
    """
    judged = list(pairs)
    if texts is None:
        texts = {sentence: sentence for p in judged for sentence in (p.sentence1, p.sentence2)}
    known = {ends(texts[p.sentence1], texts[p.sentence2]) for p in judged}
    return concluded(compositions(judged, texts, swap_methods, reach, known))


def compositions(
    pairs: Iterable[JudgedPair],
    texts: Texts,
    swap_methods: Sequence[str],
    reach: int | None,
    known: set[Ends],
) -> dict[Ends, Sayings]:
    """Return the labels that walks give to any two texts that they connect and are not known."""
    labelled = [
        p for p in pairs if p.label is not None and texts[p.sentence1] != texts[p.sentence2]
    ]
    edges = edges_by_text((p for p in labelled if p.method not in swap_methods), texts)
    found: dict[Ends, Sayings] = {}
    for swap in labelled:
        both = (texts[swap.sentence1], texts[swap.sentence2])
        if swap.method not in swap_methods or edges.keys().isdisjoint(both):
            continue
        for between, arm1, arm2 in reaching(swap, texts, edges, reach):
            if between not in known:
                say(found.setdefault(between, [None, None]), arm1, swap, arm2)
    return found


def edges_by_text(pairs: Iterable[JudgedPair], texts: Texts) -> Edges:
    """Return the labelled pairs at each text."""
    edges: defaultdict[str, list[Edge]] = defaultdict(list)
    for pair in pairs:
        zeros = int(not pair.label)
        for near, far in ((pair.sentence1, pair.sentence2), (pair.sentence2, pair.sentence1)):
            edges[texts[near]].append(Edge(far, texts[far], pair.id, zeros))
    return dict(edges)


def reaching(
    swap: JudgedPair, texts: Texts, edges: Edges, reach: int | None
) -> Iterator[tuple[Ends, Arm, Arm]]:
    """Yield arms of both sentences of a swap pair, with the texts at their ends in order."""
    both = (arms(sentence, texts, edges, reach) for sentence in (swap.sentence1, swap.sentence2))
    for arm1, arm2 in product(*both):
        text1, text2 = arm1.texts[-1], arm2.texts[-1]
        if text1 < text2:
            yield (text1, text2), arm1, arm2
        elif text2 < text1:
            yield (text2, text1), arm2, arm1


def arms(sentence: str, texts: Texts, edges: Edges, reach: int | None) -> list[Arm]:
    """Return the shortest walks from a sentence to each text, with zero and one non-paraphrases.

    If all walks to a text have more, the shortest of them shows that it is connected.
    """
    ring = found = [Arm(sentence, (), (texts[sentence],), 0)]
    seen = {(texts[sentence], 0)}
    for _ in count() if reach is None else range(reach):
        ring = lengthened(ring, edges, seen)
        if not ring:
            break
        seen.update((arm.texts[-1], arm.zeros) for arm in ring)
        found = found + ring
    return found


def lengthened(ring: Iterable[Arm], edges: Edges, seen: set[tuple[str, int]]) -> list[Arm]:
    """Return the arms that are one pair longer and reach a new state, the smallest for each."""
    least: dict[tuple[str, int], Arm] = {}
    for arm in ring:
        for edge in edges.get(arm.texts[-1], ()):
            longer = arm.extended(edge)
            state = (edge.text, longer.zeros)
            if is_news(state, seen) and (state not in least or longer < least[state]):
                least[state] = longer
    return list(least.values())


def is_news(state: tuple[str, int], seen: set[tuple[str, int]]) -> bool:
    """Return whether a state is new; two non-paraphrases are new only for an unreached text."""
    text, zeros = state
    if zeros < SILENT:
        return state not in seen
    return not any((text, some) in seen for some in range(SILENT + 1))


def say(sayings: Sayings, arm1: Arm, swap: JudgedPair, arm2: Arm) -> None:
    """Record a walk if it gives a label and is the shortest with that label."""
    zeros = arm1.zeros + (swap.label == 0) + arm2.zeros
    if zeros >= SILENT:
        return
    via = (*reversed(arm1.via), swap.id, *arm2.via)
    passed = (*arm1.texts, *arm2.texts)
    way = Way(len(via), arm1.sentence, arm2.sentence, via, len({*passed}) == len(passed))
    shortest = sayings[1 - zeros]
    if shortest is None or way < shortest:
        sayings[1 - zeros] = way


def concluded(found: Mapping[Ends, Sayings]) -> Recombination:
    """Return one pair for any two texts with a single label, ordered by id."""
    pairs, conflicts = [], 0
    for against, for_ in found.values():
        conflicts += against is not None and for_ is not None
        label, way = (0, against) if for_ is None else (1, for_)
        if way is not None and way.is_path and (against is None or for_ is None):
            pairs.append(composed_pair(way, label))
    unknown = len(found) - conflicts - len(pairs)
    return Recombination(tuple(sorted(pairs, key=lambda pair: pair.id)), conflicts, unknown)


def composed_pair(way: Way, label: int) -> RecombinedPair:
    """Return the pair at the ends of a walk; its id does not depend on their order."""
    name = " ".join(sorted((way.sentence1, way.sentence2)))
    return RecombinedPair(str(uuid5(NAMESPACE, name)), way.sentence1, way.sentence2, label, way.via)


def ends(one: str, other: str) -> Ends:
    """Return two texts in sorted order."""
    return (one, other) if one <= other else (other, one)
