"""New labelled pairs from judged ones (PAWS 3.2, "Label Balancing").

Sentences are nodes, equal texts one node, and labelled pairs are edges. A swap pair, lengthened at
either end by back translations, composes the two sentences where the path ends: paraphrases all
along make a paraphrase, exactly one non-paraphrase makes a non-paraphrase, two say nothing. From a
swap pair (s1, s2) and back translations s1' of s1 and s2' of s2 follow (s2, s1'), (s2', s1) and
(s2', s1').
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple
from uuid import UUID, uuid5

# The id of a composed pair is a UUID of version 5 in this namespace, named by both its sentences.
NAMESPACE = UUID("8a5d9c1e-3f0b-4b60-9f43-2d1c57b6a9e4")


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """An edge. `label` is None for a pair that was not kept: it composes nothing."""

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
    """What came of composing, ordered by id.

    `conflicts` counts the pairs of sentences that paths label both ways, `unknown` those that can
    only be reached over two non-paraphrases. Both are left out.
    """

    pairs: tuple[RecombinedPair, ...]
    conflicts: int
    unknown: int


class Edge(NamedTuple):
    """A labelled pair as seen from one of its texts: the sentence and text at the far end."""

    sentence: str
    text: str
    pair: str
    label: int


class Path(NamedTuple):
    """A walk to `sentence`: the texts on it, the pairs taken, the non-paraphrases among them."""

    sentence: str
    texts: tuple[str, ...]
    via: tuple[str, ...] = ()
    zeros: int = 0

    def extended(self, edge: Edge) -> "Path":
        """The path, one pair longer."""
        zeros = self.zeros + (edge.label == 0)
        return Path(edge.sentence, (*self.texts, edge.text), (*self.via, edge.pair), zeros)


class Composed(NamedTuple):
    """Two sentences, in the order of their texts, and the pairs on the way between them."""

    sentence1: str
    sentence2: str
    via: tuple[str, ...]
    zeros: int


Texts = Mapping[str, str]
Ends = tuple[str, str]


def recombine(
    pairs: Iterable[JudgedPair],
    *,
    texts: Texts | None = None,
    swap_methods: Sequence[str] = ("word_swap",),
    reach: int = 1,
) -> Recombination:
    """Compose judged pairs into new ones.

    `texts` gives the text of each sentence by its id; without it every id is a text of its own.
    Labelled pairs whose method is none of `swap_methods` count as back translations; up to `reach`
    of them are walked from each end of a swap pair (the paper: 1). No text is visited twice. Two
    texts that were judged, kept or not, are not paired again. Of several paths with the same label
    the shortest gives `via`. The same pairs give the same result in whatever order they come.

    Raises KeyError for a sentence that `texts` lacks.
    """
    judged = list(pairs)
    if texts is None:
        texts = {sentence: sentence for p in judged for sentence in (p.sentence1, p.sentence2)}
    known = {ends(texts[p.sentence1], texts[p.sentence2]) for p in judged}
    found: defaultdict[Ends, list[Composed]] = defaultdict(list)
    for between, composed in compositions(judged, texts, swap_methods, reach):
        if between not in known:
            found[between].append(composed)
    return conclude(found)


def compositions(
    pairs: Sequence[JudgedPair], texts: Texts, swap_methods: Sequence[str], reach: int
) -> Iterator[tuple[Ends, Composed]]:
    """Every path over one swap pair and one or more back translations, by the texts at its ends."""
    labelled = [p for p in pairs if p.label is not None]
    edges = edges_by_text((p for p in labelled if p.method not in swap_methods), texts)
    for pair in labelled:
        if pair.method not in swap_methods:
            continue
        arms1 = arms(pair.sentence1, texts, edges, reach)
        arms2 = arms(pair.sentence2, texts, edges, reach)
        for arm1, arm2 in product(arms1, arms2):
            if (arm1.via or arm2.via) and not set(arm1.texts) & set(arm2.texts):
                yield joined(arm1, pair, arm2)


def edges_by_text(pairs: Iterable[JudgedPair], texts: Texts) -> dict[str, list[Edge]]:
    """The labelled pairs at each text."""
    edges: defaultdict[str, list[Edge]] = defaultdict(list)
    for pair in pairs:
        label = int(bool(pair.label))
        for near, far in ((pair.sentence1, pair.sentence2), (pair.sentence2, pair.sentence1)):
            edges[texts[near]].append(Edge(far, texts[far], pair.id, label))
    return dict(edges)


def arms(sentence: str, texts: Texts, edges: Mapping[str, list[Edge]], reach: int) -> list[Path]:
    """The paths of at most `reach` pairs from a sentence, the empty one first."""
    ring = found = [Path(sentence, (texts[sentence],))]
    for _ in range(reach):
        ring = [
            path.extended(edge)
            for path in ring
            for edge in edges.get(path.texts[-1], ())
            if edge.text not in path.texts
        ]
        found = found + ring
    return found


def joined(arm1: Path, swap: JudgedPair, arm2: Path) -> tuple[Ends, Composed]:
    """The path between the far ends of two arms, from the lesser text to the greater."""
    zeros = arm1.zeros + arm2.zeros + (swap.label == 0)
    if arm2.texts[-1] < arm1.texts[-1]:
        arm1, arm2 = arm2, arm1
    via = (*reversed(arm1.via), swap.id, *arm2.via)
    between = (arm1.texts[-1], arm2.texts[-1])
    return between, Composed(arm1.sentence, arm2.sentence, via, zeros)


def conclude(found: Mapping[Ends, Sequence[Composed]]) -> Recombination:
    """One pair for any two texts between which all paths of known label agree."""
    pairs, conflicts, unknown = [], 0, 0
    for paths in found.values():
        labelling = [path for path in paths if path.zeros < 2]
        labels = {1 - path.zeros for path in labelling}
        if len(labels) == 1:
            shortest = min(labelling, key=lambda path: (len(path.via), path))
            pairs.append(composed_pair(shortest))
        conflicts += len(labels) == 2
        unknown += not labels
    return Recombination(tuple(sorted(pairs, key=lambda pair: pair.id)), conflicts, unknown)


def composed_pair(path: Composed) -> RecombinedPair:
    """The pair at the ends of a path; its id names both sentences, whichever comes first."""
    name = " ".join(sorted((path.sentence1, path.sentence2)))
    return RecombinedPair(
        str(uuid5(NAMESPACE, name)), path.sentence1, path.sentence2, 1 - path.zeros, path.via
    )


def ends(one: str, other: str) -> Ends:
    """Two texts in an order of their own."""
    return (one, other) if one <= other else (other, one)
