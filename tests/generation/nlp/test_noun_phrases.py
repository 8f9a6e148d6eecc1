"""Noun phrases that change places as units, with their articles and adjectives."""

from generation.nlp import noun_phrases, vector_likeness
from generation.nlp.phrases import Kind, Phrase
from generation.nlp.settings import WordSwapSettings
from generation.nlp.word_swap import swaps
from tests.generation.nlp.toy import Bigrams, tagged, tokens_and_phrases

ONLY = WordSwapSettings(movable=(Kind.NOUN_PHRASE,), list_pruning_keep=1.0)


def swapped(*texts):
    """The rewrite of each sentence in which only noun phrases move; None without one."""
    outcomes = swaps(map(tagged, texts), Bigrams(), ONLY)
    return [each.rewrites[0].text if each.rewrites else None for each in outcomes]


def test_noun_phrases_change_places_whole():
    assert swapped(
        "The/DT old/JJ army/NN beat/VBD a/DT town/NN militia/NN ./.",
        "Does/VBZ a/DT large/JJ dog/NN chase/VB an/DT old/JJ cat/NN ?/.",
        "Cars/NNS are/VBP rare/JJ ,/, but/CC red/JJ bicycles/NNS are/VBP common/JJ ./.",
        "The/DT edge/NN of/IN the/DT wood/NN is/VBZ near/IN the/DT bank/NN ./.",
        "Rome/NNP fears/VBZ the/DT army/NN ./.",
    ) == [
        "A town militia beat the old army.",
        "Does an old cat chase a large dog?",
        "Red bicycles are rare, but cars are common.",
        "The bank is near the edge of the wood.",
        "The army fears Rome.",
    ]


def test_noun_phrases_stay_that_would_break_agreement_or_belong_to_longer_ones():
    assert (
        swapped(
            "The/DT armies/NNS beat/VBD the/DT town/NN ./.",  # numbers
            "The/DT edge/NN of/IN it/PRP hit/VBD the/DT wall/NN ./.",
            "The/DT man/NN who/WP left/VBD hit/VBD the/DT wall/NN ./.",
            "The/DT army/NN left/VBD in/IN the/DT morning/NN ./.",  # parts
            "The/DT cat/NN saw/VBD the/DT other/JJ cat/NN ./.",  # the same head
            "New/NNP Rome/NNP beats/VBZ New/NNP York/NNP ./.",  # names, which move as names
            "Cats/NNS see/VBP dogs/NNS ./.",  # words, which move as words
        )
        == [None] * 7
    )


def features(text, *spans):
    tokens, _ = tokens_and_phrases(text)
    pair = tuple(Phrase(*span, Kind.NOUN_PHRASE, "singular") for span in spans)
    words = [token.text for token in tokens]
    return noun_phrases.features(tokens, words, pair, vector_likeness.load_embedded())


def test_an_exchange_is_known_by_the_parts_that_both_play():
    beats = features("the/DT army/NN beat/VBD the/DT militia/NN ./.", (0, 2), (3, 5))
    assert (beats["parallel_roles"], beats["same_role"], beats["same_article"]) == (True, False, 1)
    rests = features(
        "it/PRP rests/VBZ in/IN a/DT hut/NN and/CC in/IN the/DT park/NN on/IN Sunday/NNP ./.",
        (3, 5),
        (7, 9),
    )
    assert (rests["same_role"], rests["same_article"], rests["preposition_after"]) == (
        True,
        False,
        1,
    )
    assert beats["alike_heads"] > rests["alike_heads"]
