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

from releases.dataset.rows import RECOMBINED, ReleasedPair

# The id of a composed pair is a version 5 UUID in this namespace, from the ids of its sentences.
NAMESPACE = UUID("8a5d9c1e-3f0b-4b60-9f43-2d1c57b6a9e4")
# A walk over this many non-paraphrases, or more, gives no label.
UNKNOWN_AFTER = 2


@dataclass(frozen=True, slots=True)
class Recombination:
    """The composed pairs, ordered by id.

    `conflicts` counts the pairs of texts that get both labels, `unknown` those that are connected
    but get none. Both are left out.
    """

    pairs: tuple[ReleasedPair, ...]
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
        zeros = min(self.zeros + edge.zeros, UNKNOWN_AFTER)
        return Arm(edge.sentence, (*self.via, edge.pair), (*self.texts, edge.text), zeros)


class Walk(NamedTuple):
    """A walk between two sentences in text order; `is_path` if it repeats no text."""

    length: int
    sentence1: str
    sentence2: str
    via: tuple[str, ...]
    is_path: bool


Edges = Mapping[str, Sequence[Edge]]
Ends = tuple[str, str]
# The shortest walks that label two texts as non-paraphrase and as paraphrase.
Evidence = list[Walk | None]


def recombine(
    pairs: Iterable[ReleasedPair],
    *,
    swap_methods: Sequence[str] = ("word_swap",),
    reach: int | None = 1,
) -> Recombination:
    """Compose judged pairs into new ones.

    Labelled pairs whose method is not in `swap_methods` count as back translations; a pair without
    a label composes nothing. A walk takes one swap pair and, at each end of it, up to `reach` back
    translations (the paper: 1; None: no limit); pairs of two equal texts are ignored. Two texts
    that were judged, kept or not, are not paired again. Others are paired by their shortest walk if
    all walks give the same label, unless even the shortest repeats a text: then they are connected
    without the swap, which implies nothing about them. The order of the pairs has no effect.
    """
    judged = list(pairs)
    evidence = compositions(
        judged, swap_methods, reach, judged_ends={ends(pair) for pair in judged}
    )
    composed_pairs, conflicts = [], 0
    for texts, (zero_walk, one_walk) in evidence.items():
        conflicts += zero_walk is not None and one_walk is not None
        label, walk = (0, zero_walk) if one_walk is None else (1, one_walk)
        if walk is not None and walk.is_path and (zero_walk is None or one_walk is None):
            composed_pairs.append(composed_pair(walk, label, texts))
    unknown = len(evidence) - conflicts - len(composed_pairs)
    composed_pairs.sort(key=lambda pair: pair.id)
    return Recombination(tuple(composed_pairs), conflicts, unknown)


def compositions(
    pairs: Iterable[ReleasedPair],
    swap_methods: Sequence[str],
    reach: int | None,
    judged_ends: set[Ends],
) -> dict[Ends, Evidence]:
    """Return the labels that walks give to two texts that they connect and that were not judged."""
    labelled = [pair for pair in pairs if pair.label is not None and pair.text1 != pair.text2]
    edges = edges_by_text(pair for pair in labelled if pair.method not in swap_methods)
    evidence: dict[Ends, Evidence] = {}
    for swap in labelled:
        if swap.method not in swap_methods or edges.keys().isdisjoint((swap.text1, swap.text2)):
            continue
        for arm1, arm2 in arms_of(swap, edges, reach):
            texts = (arm1.texts[-1], arm2.texts[-1])
            if texts not in judged_ends:
                record_walk(evidence.setdefault(texts, [None, None]), arm1, swap, arm2)
    return evidence


def edges_by_text(pairs: Iterable[ReleasedPair]) -> Edges:
    edges: defaultdict[str, list[Edge]] = defaultdict(list)
    for pair in pairs:
        zeros = int(not pair.label)
        edges[pair.text1].append(Edge(pair.sentence2, pair.text2, pair.id, zeros))
        edges[pair.text2].append(Edge(pair.sentence1, pair.text1, pair.id, zeros))
    return dict(edges)


def arms_of(swap: ReleasedPair, edges: Edges, reach: int | None) -> Iterator[tuple[Arm, Arm]]:
    """Yield arms of both sentences of a swap pair, ordered by the texts at their ends."""
    arms1 = shortest_arms(swap.sentence1, swap.text1, edges, reach)
    arms2 = shortest_arms(swap.sentence2, swap.text2, edges, reach)
    for arm1, arm2 in product(arms1, arms2):
        text1, text2 = arm1.texts[-1], arm2.texts[-1]
        if text1 != text2:
            yield (arm1, arm2) if text1 < text2 else (arm2, arm1)


def shortest_arms(sentence: str, text: str, edges: Edges, reach: int | None) -> list[Arm]:
    """Return the shortest walks from a sentence to each text, with zero and one non-paraphrases.

    If all walks to a text have more, the shortest of them shows that it is connected.
    """
    ring = all_arms = [Arm(sentence, (), (text,), 0)]
    states = {(text, 0)}
    for _ in count() if reach is None else range(reach):
        ring = lengthen_arms(ring, edges, states)
        if not ring:
            break
        states.update((arm.texts[-1], arm.zeros) for arm in ring)
        all_arms = all_arms + ring
    return all_arms


def lengthen_arms(ring: Iterable[Arm], edges: Edges, seen: set[tuple[str, int]]) -> list[Arm]:
    """Return the arms that are one pair longer and reach a new state, the smallest for each."""
    least: dict[tuple[str, int], Arm] = {}
    for arm in ring:
        for edge in edges.get(arm.texts[-1], ()):
            longer = arm.extended(edge)
            state = (edge.text, longer.zeros)
            if is_new(state, seen) and (state not in least or longer < least[state]):
                least[state] = longer
    return list(least.values())


def is_new(state: tuple[str, int], seen: set[tuple[str, int]]) -> bool:
    """Return whether a state is new; two non-paraphrases are new only for an unreached text."""
    text, zeros = state
    if zeros < UNKNOWN_AFTER:
        return state not in seen
    return not any((text, zeros) in seen for zeros in range(UNKNOWN_AFTER + 1))


def record_walk(evidence: Evidence, arm1: Arm, swap: ReleasedPair, arm2: Arm) -> None:
    """Record a walk if it gives a label and is the shortest with that label."""
    zeros = arm1.zeros + (swap.label == 0) + arm2.zeros
    if zeros >= UNKNOWN_AFTER:
        return
    via = (*reversed(arm1.via), swap.id, *arm2.via)
    texts = (*arm1.texts, *arm2.texts)
    walk = Walk(len(via), arm1.sentence, arm2.sentence, via, len({*texts}) == len(texts))
    shortest = evidence[1 - zeros]
    if shortest is None or walk < shortest:
        evidence[1 - zeros] = walk


def composed_pair(walk: Walk, label: int, texts: Ends) -> ReleasedPair:
    """Return the pair at the ends of a walk; its id does not depend on their order."""
    name = " ".join(sorted((walk.sentence1, walk.sentence2)))
    return ReleasedPair(
        id=str(uuid5(NAMESPACE, name)),
        sentence1=walk.sentence1,
        sentence2=walk.sentence2,
        origin="recombined",
        via=walk.via,
        method=RECOMBINED,
        label=label,
        kept=True,
        text1=texts[0],
        text2=texts[1],
    )


def ends(pair: ReleasedPair) -> Ends:
    text1, text2 = pair.text1, pair.text2
    return (text1, text2) if text1 <= text2 else (text2, text1)
