"""Finds connected texts with a disjoint-set forest."""

from collections.abc import Iterable


class Components:
    """Sets of connected texts; adding a link takes nearly constant time."""

    def __init__(self, links: Iterable[tuple[str, str]] = ()) -> None:
        self._parents: dict[str, str] = {}
        for one, other in links:
            self.link(one, other)

    def link(self, one: str, other: str) -> None:
        """Connect two texts, and with them everything that they are connected to."""
        first, second = self.find(one), self.find(other)
        if first != second:
            self._parents[max(first, second)] = min(first, second)

    def find(self, text: str) -> str:
        """Return the smallest text connected to this one; the order of links has no effect."""
        parents = self._parents
        while (parent := parents.setdefault(text, text)) != text:
            parents[text] = parents[parent]
            text = parents[text]
        return text
