"""Tagged sentences made of invented words, and a tagger that looks them up."""

from random import Random

from tests.generation.nlp.toy import tagged

WORDS = {
    "NN": ("cat", "dog", "Stone", "river", "hat"),
    "VBD": ("saw", "chased", "met", "left"),
    "JJ": ("old", "small", "Green", "quick"),
    "RB": ("only", "soon", "often"),
    "PERSON": ("Ann", "Bob Ray", "Eve"),
    "DT": ("the", "a"),
    "CD": ("2", "7"),
}


class Lookup:
    """A tagger that knows these sentences."""

    identity = {"name": "lookup"}

    def __init__(self, sentences):
        self._known = {sentence.text: sentence for sentence in sentences}

    def tag(self, texts):
        return (self._known[text] for text in texts)


def sentence(random: Random):
    """A sentence of 8 to 20 words that begins with a capital and ends with a full stop."""
    kinds = random.choices(list(WORDS), k=random.randint(8, 20))
    words, entities = [], []
    for kind in kinds:
        chosen = random.choice(WORDS[kind]).split()
        if not words:
            chosen[0] = chosen[0].capitalize()
        if kind == "PERSON":
            entities.append((len(words), len(words) + len(chosen), kind, 0.99))
        words += (f"{word}/{'NNP' if kind == 'PERSON' else kind}" for word in chosen)
    return tagged(f"{' '.join(words)} ./.", *entities)


def sentences(number, *, seed=0):
    """Different sentences."""
    random, found = Random(seed), {}
    while len(found) < number:
        one = sentence(random)
        found.setdefault(one.text, one)
    return list(found.values())


def pairs(sentences):
    """A pair of each sentence: its first half after its second."""
    found = []
    for number, one in enumerate(sentences):
        words = one.text.split()
        half = len(words) // 2
        first = " ".join((*words[half:], *words[:half]))
        found.append((f"p{number}", first, one.text))
    return found
