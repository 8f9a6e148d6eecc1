"""Which texts hang together: a disjoint-set forest."""

from collections.abc import Iterable


class Components:
    """Sets of connected texts, merged as links come in; next to constant time a link."""

    def __init__(self, links: Iterable[tuple[str, str]] = ()) -> None:
        self._parents: dict[str, str] = {}
        for one, other in links:
            self.link(one, other)

    def link(self, one: str, other: str) -> None:
        """Connect two texts and with them all that they are connected to."""
        first, second = self.find(one), self.find(other)
        if first != second:
            self._parents[max(first, second)] = min(first, second)

    def find(self, text: str) -> str:
        """The least of all texts connected to this one: the same, whatever the order of links."""
        parents = self._parents
        while (parent := parents.setdefault(text, text)) != text:
            parents[text] = parents[parent]
            text = parents[text]
        return text
