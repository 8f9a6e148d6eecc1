"""Reconciling the corpora that the embedded tagger learns from."""

from generation.nlp.training import tagger_corpora
from generation.nlp.training.tagger_corpora import Corpus
from generation.nlp.training.treebanks import AnnotatedSentence

PROPER, ADJECTIVE, PARTICIPLE = ("PROPN", "NNP"), ("ADJ", "NNP"), ("VERB", "NNP")
NOUN = ("NOUN", "NN")


def _restored(tags: list[tuple[str, str]], iob: list[str]) -> tuple[str, ...] | None:
    words = tuple(f"w{index}" for index in range(len(tags)))
    sentence = AnnotatedSentence(words, tags=tuple(tags), iob=tuple(iob))
    return tagger_corpora.restore_edges(sentence).iob


def test_a_name_is_widened_over_a_proper_participle_before_it() -> None:
    assert _restored([PARTICIPLE, PROPER], ["O", "B-LOC"]) == ("B-LOC", "I-LOC")


def test_a_name_is_widened_over_a_proper_adjective_after_it() -> None:
    assert _restored([PROPER, ADJECTIVE], ["B-ORG", "O"]) == ("B-ORG", "I-ORG")


def test_a_name_is_not_widened_over_common_words_or_other_names() -> None:
    iob = ["O", "B-LOC", "O", "B-PER", "B-ORG"]
    assert _restored([NOUN, PROPER, NOUN, ADJECTIVE, PROPER], iob) == tuple(iob)


def test_rare_tag_pairs_are_not_learnt() -> None:
    often = AnnotatedSentence(("a",) * tagger_corpora.RARE, tags=(NOUN,) * tagger_corpora.RARE)
    once = AnnotatedSentence(("b",), tags=(PROPER,))
    assert tagger_corpora.labels([Corpus("tiny", (often, once))]).tags == (NOUN,)


def test_a_corpus_is_cut_into_the_tokenizers_words() -> None:
    corpus = Corpus("tiny", (AnnotatedSentence(("co-op",), iob=("B-ORG",)),), misc=False)
    split = tagger_corpora.as_tokenised(corpus, lambda word: word.partition("-"))
    assert split.sentences[0] == AnnotatedSentence(
        ("co", "-", "op"), iob=("B-ORG", "I-ORG", "I-ORG")
    )
    assert split.misc is False
