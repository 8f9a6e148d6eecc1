"""Translators without a model: by a dictionary, or by rules that make back translations to sift."""

from generation.nlp.back_translation import Translation


class Phrasebook:
    """Knows translations of some texts, each a nat less likely than the one before."""

    def __init__(self, known):
        self.known, self.asked = known, []

    def translate(self, texts, k):
        self.asked += texts
        found = (enumerate(self.known.get(text, ())) for text in texts)
        return [tuple(Translation(to, -1.0 - n) for n, to in some)[:k] for some in found]


class Fragile(Phrasebook):
    """Fails on a batch that has the text."""

    def __init__(self, known, breaks, error):
        super().__init__(known)
        self.breaks, self.error = breaks, error

    def translate(self, texts, k):
        if self.breaks in texts:
            raise self.error
        return super().translate(texts, k)


class Marked:
    """Translates by a mark before the sentence: what it marks, the other one takes off again."""

    identity = {"name": "marked", "sha256": "1"}

    def translate(self, texts, k):
        return [tuple(Translation(f"{n}>{t}", -n) for n in range(1, k + 1)) for t in texts]


class Unmarked:
    """Gives the marked sentence back, then with its first words last, then with other words."""

    identity = {"name": "unmarked", "sha256": "2"}

    def translate(self, texts, k):
        return [self._translated(text)[:k] for text in texts]

    def _translated(self, text):
        mark, _, sentence = text.partition(">")
        first, *rest = sentence.removesuffix(".").split()
        ways = [
            sentence,
            f"{' '.join([*rest[int(mark) - 1 :], first, *rest[: int(mark) - 1]])}.",
            f"{' '.join([first, *rest])} {mark}.",
            "Something else.",
        ]
        return tuple(Translation(way, -float(place)) for place, way in enumerate(ways))
