from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp import measures
from generation.nlp.kinds import Kind
from generation.nlp.tagging import TaggedSentence
from generation.nlp.word_swap import Outcome, Reason, Swap, WordSwapper, WordSwapSettings, swap
from tests.generation.nlp.toy import Bigrams, tagged

BAD = "Can/MD a/DT bad/JJ person/NN like/VB good/JJ people/NNS ?/."
FLIGHTS = "Flights/NNS leave/VBP Florida/NNP for/IN Texas/NNP ./."
LIST = "We/PRP like/VBP Ann/NNP and/CC Bob/NNP ./."


def outcome(text: str, model: Bigrams | None = None, **settings) -> Outcome:
    return swap(tagged(text), model or Bigrams(), WordSwapSettings(**settings))


def test_the_swap_of_the_papers_first_example() -> None:
    result = outcome(BAD)
    assert isinstance(result, Swap)
    assert result.text == "Can a good person like bad people?"
    assert result.kind is Kind.ADJECTIVE
    assert result.log_likelihood == result.source_log_likelihood == -45.0


def test_a_named_entity_swap() -> None:
    result = outcome(FLIGHTS)
    assert isinstance(result, Swap)
    assert (result.text, result.kind) == ("Flights leave Texas for Florida.", Kind.NAME)


def test_words_of_several_kinds_make_a_mixed_swap() -> None:
    model = Bigrams({"good person": -1, "bad people": -1, "in spain": -1, "from rome": -1})
    text = "A/DT bad/JJ person/NN in/IN Rome/NNP likes/VBZ good/JJ people/NNS from/IN Spain/NNP ./."
    result = outcome(text, model, max_changes=4)
    assert isinstance(result, Swap)
    assert result.text == "A good person in Spain likes bad people from Rome."
    assert result.kind is Kind.MIXED


@pytest.mark.parametrize(("loss", "accepted"), [(2.9, True), (3.1, False)])
def test_a_swap_may_lose_as_much_as_the_threshold(loss: float, accepted: bool) -> None:
    model = Bigrams({"a bad": -5 + loss / 2, "like good": -5 + loss / 2})
    result = outcome(BAD, model)
    assert isinstance(result, Swap) if accepted else result is Reason.BELOW_THRESHOLD


def test_a_swap_that_gains_in_one_place_what_it_loses_in_another_is_uneven() -> None:
    model = Bigrams({"a bad": -1, "like bad": -1})
    assert outcome(BAD, model, largest_fall=3) is Reason.UNEVEN
    assert isinstance(outcome(BAD, model, largest_fall=5), Swap)


def test_a_swap_that_puts_a_word_beside_itself_is_dropped() -> None:
    text = "The/DT low/JJ road/NN meets/VBZ national/JJ low/NN ./."
    assert outcome(text) is Reason.DOUBLED_WORD


def test_list_permutations_are_pruned_but_for_the_share_that_is_kept() -> None:
    assert outcome(LIST, list_pruning_keep=0.0) is Reason.LIST_PERMUTATION
    assert isinstance(outcome(LIST, list_pruning_keep=1.0), Swap)


def test_the_share_of_kept_list_permutations_is_drawn_by_the_seed() -> None:
    kept = [isinstance(outcome(LIST, list_pruning_keep=0.3, seed=s), Swap) for s in range(200)]
    assert 30 <= sum(kept) <= 90


def test_the_next_best_rewrite_stands_in_for_a_pruned_permutation() -> None:
    text = "Ann/NNP and/CC Bob/NNP like/VBP Cy/NNP ./."
    result = outcome(text, Bigrams({"<s> bob": -3}), list_pruning_keep=0.0)
    assert isinstance(result, Swap)
    assert "Bob and Ann like Cy." not in (result.text, *(a.text for a in result.alternatives))


def test_the_best_few_alternatives_are_kept_best_first() -> None:
    text = "Ann/NNP met/VBD Bob/NNP before/IN Cy/NNP met/VBD Di/NNP ./."
    result = outcome(text, Bigrams({"met cy": -2, "before bob": -3}), keep_alternatives=4)
    assert isinstance(result, Swap)
    scores = [result.log_likelihood, *(other.log_likelihood for other in result.alternatives)]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Ann/NNP met/VBD Bob/NNP ./.", Reason.TOO_SHORT),
        ("Ann/NNP met/VBD Bob/NNP " + "again/RB " * 58, Reason.TOO_LONG),
        ("We/PRP met/VBD Ann/NNP once/RB ./.", Reason.NOTHING_TO_SWAP),
    ],
)
def test_the_reason_why_a_sentence_gives_nothing(text: str, reason: Reason) -> None:
    assert outcome(text) is reason


class OneTagger:
    """Tags every text the same."""

    identity = {"name": "one"}

    def tag(self, texts: Iterable[str]) -> Iterator[TaggedSentence]:
        return (tagged(BAD) for _ in texts)


def test_a_word_swapper_gives_one_outcome_for_each_text() -> None:
    swapper = WordSwapper(OneTagger(), Bigrams())
    assert list(swapper.outcomes(["one", "two"])) == [outcome(BAD)] * 2


NAMES = st.sampled_from(["Ann/NNP", "Bob/NNP", "Rome/NNP", "bad/JJ cats/NNS", "good/JJ ants/NNS"])
JOINTS = st.sampled_from(["met/VBD", "and/CC", ",/,", "of/IN", "2/CD cats/NNS met/VBD 3/CD"])


@given(st.lists(st.tuples(NAMES, JOINTS), min_size=2, max_size=5))
def test_every_rewrite_has_the_words_of_its_source_in_another_order(parts) -> None:
    sentence = tagged(" ".join(f"{name} {joint}" for name, joint in parts) + " ants/NNS ./.")
    result = swap(sentence, Bigrams(), WordSwapSettings(list_pruning_keep=1.0))
    if isinstance(result, Reason):
        return
    for text in (result.text, *(other.text for other in result.alternatives)):
        source, words = (
            t.replace(".", " .").replace(",", " ,").split() for t in (sentence.text, text)
        )
        assert measures.bow_similarity(source, words) == 1.0
        assert measures.inversion_rate(source, words) > 0
