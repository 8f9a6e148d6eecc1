"""Tagged sentences written by hand, and a bigram model small enough to check by hand."""

from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from generation.nlp import phrases, templates
from generation.nlp.language_model import Puzzle
from generation.nlp.ngram_scorer import search
from generation.nlp.phrases import Kind
from generation.nlp.tagging import Entity, TaggedSentence, Token
from generation.nlp.templates import Filler, Sentence, Slot, Template

_phrases = st.sampled_from(
    ["Ann/NNP", "Bob/NNP", "Rome/NNP", "bad/JJ cats/NNS", "good/JJ ants/NNS"]
)
_joints = st.sampled_from(
    ["met/VBD", "and/CC", ",/,", "of/IN", "(/( 2/CD )/) saw/VBD 3/CD", "2/CD cats/NNS met/VBD 3/CD"]
)
sentences = st.lists(st.tuples(_phrases, _joints), min_size=1, max_size=5).map(
    lambda parts: " ".join(map(" ".join, parts)) + " ants/NNS ./."
)

CLOSING = (".", ",", "?", ";", ")", "'s", "”")
OPENING = ("(", "“")
UNSEEN = -5.0


def tagged(text, *entities):
    """A sentence from words with their tags, as "Tom/NNP sleeps/VBZ ./.", and its entities."""
    words = [word.rpartition("/") for word in text.split()]
    following = [*(word for word, _, _ in words[1:]), "."]
    tokens = (
        Token(word, tag, "", "" if after in CLOSING or word in OPENING else " ")
        for (word, _, tag), after in zip(words, following, strict=True)
    )
    return TaggedSentence(tuple(tokens), tuple(Entity(*entity) for entity in entities))


def tokens_and_phrases(text, *entities):
    sentence = tagged(text, *entities)
    return sentence.tokens, phrases.find(sentence, entity_probability=0.95)


def template(sentence, settings, likeness=None):
    """The template of the words of a tagged sentence."""
    return templates.build(Sentence.from_tagged(sentence, settings), settings, likeness)


def puzzle(texts, choices, source, *, max_changes=1000, capital=False):
    """A puzzle of phrases; a space follows each of them except the last."""
    words = [tuple(text.split()) for text in texts]
    fillers = tuple(Filler(text, (" ",) * (len(text) - 1)) for text in words)
    spaces = [" "] * (len(source) - 1) + [""]
    parts = zip(source, map(tuple, choices), spaces, strict=True)
    slots = tuple(Slot(Kind.OTHER, *part) for part in parts)
    return Puzzle(Template(fillers, slots, capital), max_changes)


class Bigrams:
    """A language model of a few bigrams with their log probabilities; all others are UNSEEN."""

    identity = {"name": "toy bigrams"}

    def __init__(self, known=()):
        self._known = {tuple(pair.split()): value for pair, value in dict(known).items()}

    def log_prob(self, *words):
        pairs = pairwise(word.lower() for word in words)
        return sum(self._known.get(pair, UNSEEN) for pair in pairs)

    def score(self, sentences):
        return np.array([self.log_prob("<s>", *words, "</s>") for words in sentences])

    def search(self, puzzles, *, width):
        return (search(one, BigramScorer(self, one.words), width=width) for one in puzzles)


class BigramScorer:
    def __init__(self, model, texts):
        self._model, self._texts, self._last = model, texts, ["<s>"]

    def peek(self, numbers):
        texts = [self._texts[number] for number in numbers]
        return np.array([[self._model.log_prob(last, *t) for t in texts] for last in self._last])

    def advance(self, parents, numbers):
        assert (parents < len(self._last)).all()
        self._last = [self._texts[number][-1] for number in numbers]

    def finish(self):
        return np.array([self._model.log_prob(last, "</s>") for last in self._last])
