"""Beam search and scoring with token-based models, which read each token once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from generation.nlp.language_model import Beam, Floats, Hypotheses, Ints, Puzzle
from generation.nlp.token_tree import Node, Request, Task, Tokens, chain


@dataclass(frozen=True, slots=True)
class TokenPuzzle:
    """A puzzle in tokens: for each slot, the tokens of its choices, in order.

    `begin` precedes every sentence and `end` follows it.
    """

    puzzle: Puzzle
    tokens: Sequence[Sequence[Tokens]]
    begin: int
    end: int

    def parts(self, filling: Sequence[int]) -> list[Tokens]:
        places = map(tuple.index, self.puzzle.choices, filling)
        return [choices[place] for choices, place in zip(self.tokens, places, strict=True)]


def grow(puzzle: TokenPuzzle, *, width: int) -> Task[Beam]:
    return _Growth(puzzle, width).run()


class _Growth:
    """The beam of one sentence.

    Each row has a tip, the last node read, and one token after it that is scored but not yet read:
    it is read in one block with the fixed slots that follow.
    """

    def __init__(self, puzzle: TokenPuzzle, width: int) -> None:
        self._puzzle = puzzle
        self._hypotheses = Hypotheses(puzzle.puzzle, width=width)
        self._tips: list[Node | None] = [None]
        self._unread = [puzzle.begin]

    def run(self) -> Task[Beam]:
        fixed: list[int] = []
        for slot, choices in enumerate(self._puzzle.tokens):
            if len(choices) == 1:
                fixed.append(slot)
                continue
            firsts = [tokens[0] for tokens in choices]
            log_probs = yield from self._read_and_score(fixed, firsts)
            yield from self._branch(slot, log_probs)
            fixed = []
        log_probs = yield from self._read_and_score(fixed, [self._puzzle.end])
        return self._hypotheses.finish(log_probs[:, 0])

    def _read_and_score(self, fixed: Sequence[int], wanted: Sequence[int]) -> Task[Floats]:
        """Read the last token of each row and the fixed slots after it, and score these slots.

        Returns the log-probabilities of the wanted next tokens: shape (rows, len(wanted)).
        """
        block = [token for slot in fixed for token in self._puzzle.tokens[slot][0]]
        chains = [
            chain(tip, [unread, *block], wanted)
            for tip, unread in zip(self._tips, self._unread, strict=True)
        ]
        self._tips = [nodes[-1] for nodes in chains]
        answer = yield Request([node for nodes in chains for node in nodes])
        log_probs = answer.reshape(len(chains), -1)
        self._append(fixed, log_probs)
        return log_probs[:, len(block) :]

    def _append(self, fixed: Sequence[int], log_probs: Floats) -> None:
        start = 0
        for slot in fixed:
            end = start + len(self._puzzle.tokens[slot][0])
            self._hypotheses.append(slot, log_probs[:, start:end].sum(axis=1))
            start = end

    def _branch(self, slot: int, log_probs: Floats) -> Task[None]:
        """Fill a slot, given the log-probabilities of the first tokens of its choices.

        The known tokens of a choice give an upper bound of its score. Only choices among the best
        bounds are read further, until the best are fully scored: this gives the exact beam and
        reads no token that cannot affect it.
        """
        bounds = self._hypotheses.scores(slot, log_probs)
        opening = _Opening(self._puzzle.tokens[slot], self._tips, bounds)
        places = self._hypotheses.best(bounds)
        while nodes := opening.ask(places):
            opening.tell((yield Request(nodes, opening.nodes)))
            places = self._hypotheses.best(bounds)
        parents, columns = self._hypotheses.branch(slot, bounds, places)
        self._tips, self._unread = opening.ends(parents, columns)


class _Opening:
    """The choices of one slot; each row has read only as many tokens as needed.

    `bounds`, of shape (rows, choices), is lowered in place as more tokens are known.
    """

    def __init__(
        self, choices: Sequence[Tokens], tips: Sequence[Node | None], bounds: Floats
    ) -> None:
        self._choices, self._bounds = choices, bounds
        self._known = np.ones(bounds.shape, np.intp)
        self._read: dict[tuple[int, Tokens], Node | None] = {
            (row, ()): tip for row, tip in enumerate(tips)
        }
        self._asked: list[tuple[int, list[int]]] = []

    @property
    def nodes(self) -> list[Node]:
        return [node for node in self._read.values() if node is not None]

    def ask(self, places: Ints) -> list[Node]:
        rows, columns = np.divmod(places, len(self._choices))
        known_counts = self._known[rows, columns]
        ends = zip(rows.tolist(), columns.tolist(), known_counts.tolist(), strict=True)
        # Choices of a row with the same prefix are read together.
        prefixes = {
            (row, self._choices[column][:count]): None
            for row, column, count in ends
            if count < len(self._choices[column])
        }
        self._asked = [(row, self._longer(prefix)) for row, prefix in prefixes]
        return [self._node(row, prefix) for row, prefix in prefixes]

    def tell(self, answer: Floats) -> None:
        """Lower the bounds by the log-probabilities of the requested tokens."""
        start = 0
        for row, columns in self._asked:
            end = start + len(columns)
            self._bounds[row, columns] += answer[start:end]
            self._known[row, columns] += 1
            start = end

    def ends(self, parents: Ints, chosen: Ints) -> tuple[list[Node | None], list[int]]:
        """Return the tip of each new row, and the last token of its choice, which is unread."""
        tokens_of_rows = [self._choices[column] for column in chosen.tolist()]
        rows = zip(parents.tolist(), tokens_of_rows, strict=True)
        tips = [self._read[row, tokens[:-1]] for row, tokens in rows]
        return tips, [tokens[-1] for tokens in tokens_of_rows]

    def _longer(self, prefix: Tokens) -> list[int]:
        size = len(prefix)
        choices = enumerate(self._choices)
        return [c for c, tokens in choices if tokens[:size] == prefix and len(tokens) > size]

    def _node(self, row: int, prefix: Tokens) -> Node:
        next_tokens = [self._choices[column][len(prefix)] for column in self._longer(prefix)]
        node = Node(self._read[row, prefix[:-1]], prefix[-1], next_tokens)
        self._read[row, prefix] = node
        return node


def score(texts: Sequence[Tokens], *, begin: int, end: int) -> Task[Floats]:
    """Return a task that scores texts, given in tokens: the likelihood of each, its end included.

    Shared prefixes are read once, and all nodes are requested together.
    """
    trie = _Trie(begin)
    paths = [trie.path([*tokens, end]) for tokens in texts]
    answer = yield Request(trie.nodes)
    firsts = trie.firsts()
    return np.array([sum(answer[firsts[node] + place] for node, place in path) for path in paths])


class _Trie:
    """The nodes of several texts with a shared first node."""

    def __init__(self, begin: int) -> None:
        self._wanted: list[list[int]] = [[]]
        self.nodes = [Node(None, begin, self._wanted[0])]
        self._children: dict[tuple[int, int], int] = {}

    def path(self, tokens: Sequence[int]) -> list[tuple[int, int]]:
        nodes = [0]
        for token in tokens[:-1]:
            nodes.append(self._child(nodes[-1], token))
        return [(node, self._place(node, token)) for node, token in zip(nodes, tokens, strict=True)]

    def firsts(self) -> list[int]:
        """Return the offset of each node's log-probabilities in the answer."""
        return [0, *accumulate(map(len, self._wanted[:-1]))]

    def _place(self, node: int, token: int) -> int:
        next_tokens = self._wanted[node]
        if token not in next_tokens:
            next_tokens.append(token)
        return next_tokens.index(token)

    def _child(self, node: int, token: int) -> int:
        if (node, token) not in self._children:
            self._children[node, token] = len(self.nodes)
            self._wanted.append([])
            self.nodes.append(Node(self.nodes[node], token, self._wanted[-1]))
        return self._children[node, token]
