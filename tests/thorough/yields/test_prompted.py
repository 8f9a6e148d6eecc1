"""What a chat model that swaps, repeats, permutes lists and chats gives for 300 sentences."""

from generation.nlp.rewrites import ACCEPTED
from generation.nlp.samples import Reason
from tests.generation.methods.test_prompted import SENTENCES, check_reordered


def test_300_reordered_sentences_keep_their_words():
    outcomes, dropped = check_reordered(SENTENCES[:300])
    assert outcomes.total() == 300
    assert outcomes[ACCEPTED] > 150
    assert dropped[Reason.LIST_PERMUTATION] > 0
