from generation.nlp import phrases
from generation.nlp.kinds import Kind
from generation.nlp.phrases import UNCERTAIN
from generation.nlp.tagging import TaggedSentence
from tests.generation.nlp.toy import tagged


def labels(sentence: TaggedSentence) -> dict[str, str]:
    """The merged phrases of a sentence and their labels."""
    found = phrases.find(sentence, entity_probability=0.95)
    texts = [" ".join(t.text for t in sentence.tokens[p.start : p.end]) for p in found]
    return {text: p.label for text, p in zip(texts, found, strict=True) if p.end - p.start > 1}


def test_a_certain_entity_is_one_phrase_with_its_type() -> None:
    sentence = tagged("Flights/NNS leave/VBP New/NNP York/NNP ./.", (2, 4, "LOC", 0.99))
    assert labels(sentence) == {"New York": "LOC"}


def test_an_entity_below_the_probability_is_uncertain() -> None:
    sentence = tagged("Flights/NNS leave/VBP New/NNP York/NNP ./.", (2, 4, "LOC", 0.94))
    assert labels(sentence) == {"New York": UNCERTAIN}


def test_an_entity_without_a_probability_is_trusted() -> None:
    sentence = tagged("Flights/NNS leave/VBP New/NNP York/NNP ./.", (2, 4, "LOC", None))
    assert labels(sentence) == {"New York": "LOC"}


def test_the_article_before_a_name_and_the_possessive_after_it_stand_outside() -> None:
    sentence = tagged("the/DT United/NNP States/NNPS 's/POS navy/NN ./.", (0, 4, "LOC", 0.99))
    assert labels(sentence) == {"United States": "LOC"}


def test_proper_nouns_beside_an_entity_join_it() -> None:
    sentence = tagged("General/NNP Ann/NNP Lee/NNP left/VBD ./.", (1, 3, "PER", 0.99))
    assert labels(sentence) == {"General Ann Lee": "PER"}


def test_of_joins_two_names() -> None:
    sentence = tagged("The/DT Duke/NNP of/IN York/NNP left/VBD of/IN course/NN ./.")
    assert labels(sentence) == {"Duke of York": "NNP"}


def test_dates_and_numbers_of_several_words_are_phrases() -> None:
    sentence = tagged("On/IN 2/CD April/NNP 1947/CD ,/, two/CD million/CD ran/VBD ./.")
    assert labels(sentence) == {"2 April 1947": "full", "two million": "CD"}


def test_a_number_that_counts_is_no_year() -> None:
    sentence = tagged("In/IN 1947/CD it/PRP had/VBD 1500/CD seats/NNS ./.")
    found = phrases.find(sentence, entity_probability=0.95)
    assert [p.kind for p in found if p.kind in (Kind.DATE, Kind.NUMBER)] == [Kind.DATE, Kind.NUMBER]


def test_the_verb_may_is_no_month() -> None:
    found = phrases.find(tagged("May/MD they/PRP win/VB ./."), entity_probability=0.95)
    assert found[0].kind is Kind.OTHER


def test_a_name_that_is_all_date_is_a_date() -> None:
    sentence = tagged("They/PRP met/VBD in/IN April/NNP ./.", (3, 4, "MISC", 0.99))
    found = phrases.find(sentence, entity_probability=0.95)
    assert [p.kind for p in found if p.start == 3] == [Kind.DATE]
