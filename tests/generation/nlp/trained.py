"""N-gram models of a few sentences, trained on the spot."""

from collections.abc import Sequence

from hypothesis import strategies as st

from generation.nlp.ngram import NgramModel
from generation.nlp.ngram_file import NgramArrays
from generation.nlp.training import ngram_counts, ngram_estimate, ngram_text
from generation.nlp.training.ngram_estimate import Thresholds
from generation.nlp.vocabulary import Vocabulary

KEEP_ALL = -1.0
WORDS = ("the", "cat", "saw", "a", "dog", ".")
SENTENCES = (
    "the cat saw a dog .",
    "the dog saw the cat .",
    "a dog saw a cat .",
    "the cat saw the dog .",
    "a cat .",
)

texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=1, max_size=12)


def words_of(sentences: Sequence[str] = SENTENCES) -> list[list[str]]:
    return [sentence.split() for sentence in sentences]


def arrays(
    sentences: Sequence[Sequence[str]], *, worth: float = KEEP_ALL, trigram_count: int = 1
) -> tuple[Vocabulary, NgramArrays]:
    """The vocabulary and the numbers of a model; n-grams worth `worth` or less are pruned."""
    text = ngram_text.read(sentences)
    vocabulary = ngram_text.choose_vocabulary(text, size=1000, ending_count=1000)
    trigrams, bigrams = ngram_counts.trigrams_and_bigrams(
        ngram_text.encode(text, vocabulary), bos=vocabulary.bos, eos=vocabulary.eos
    )
    return vocabulary, ngram_estimate.estimate(
        trigrams,
        bigrams,
        words=len(vocabulary),
        bos=vocabulary.bos,
        least=Thresholds(trigram_count=trigram_count, worth=worth),
    )


def model(
    sentences: Sequence[Sequence[str]], *, worth: float = KEEP_ALL, trigram_count: int = 1
) -> NgramModel:
    return NgramModel(*arrays(sentences, worth=worth, trigram_count=trigram_count))
