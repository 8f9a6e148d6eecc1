"""Noun phrases that change places as units, with their articles and adjectives."""

from generation.nlp.phrases import Kind
from generation.nlp.settings import WordSwapSettings
from generation.nlp.word_swap import swaps
from tests.generation.nlp.toy import Bigrams, tagged

ONLY = WordSwapSettings(movable=(Kind.NOUN_PHRASE,), list_pruning_keep=1.0)


def swapped(*texts):
    """The rewrite of each sentence in which only noun phrases move; None without one."""
    outcomes = swaps(map(tagged, texts), Bigrams(), ONLY)
    return [each.rewrites[0].text if each.rewrites else None for each in outcomes]


def test_parallel_noun_phrases_change_places_whole():
    assert swapped(
        "The/DT old/JJ army/NN beat/VBD the/DT town/NN militia/NN ./.",
        "Does/VBZ a/DT large/JJ dog/NN chase/VB an/DT old/JJ cat/NN ?/.",
        "Cars/NNS are/VBP rare/JJ ,/, but/CC red/JJ bicycles/NNS are/VBP common/JJ ./.",
        "They/PRP rest/VBP around/IN midnight/NN and/CC graze/VBP around/IN dawn/NN ./.",
        "It/PRP leads/VBZ from/IN the/DT old/JJ hall/NN to/TO the/DT park/NN ./.",
    ) == [
        "The town militia beat the old army.",
        "Does an old cat chase a large dog?",
        "Red bicycles are rare, but cars are common.",
        "They rest around dawn and graze around midnight.",
        "It leads from the park to the old hall.",
    ]


def test_noun_phrases_stay_that_would_break_agreement_or_belong_to_longer_ones():
    assert (
        swapped(
            "The/DT armies/NNS beat/VBD the/DT town/NN ./.",  # numbers
            "The/DT army/NN beat/VBD a/DT town/NN ./.",  # articles
            "The/DT edge/NN of/IN it/PRP hit/VBD the/DT wall/NN ./.",
            "The/DT man/NN who/WP left/VBD hit/VBD the/DT wall/NN ./.",
            "The/DT army/NN left/VBD in/IN the/DT morning/NN ./.",  # parts
            "The/DT cat/NN saw/VBD the/DT other/JJ cat/NN ./.",  # the same head
        )
        == [None] * 6
    )
