"""The embedded pipeline, and spaCy pipelines in general, as taggers."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, Span

from generation.nlp.adapters.digests import folder_digest
from generation.nlp.adapters.spacy_tagger import (
    EMBEDDED,
    SpacyTagger,
    tagged_sentence,
)
from generation.nlp.tagging import Entity, TaggedSentence, Token

SENTENCE = "In 1903 Marie Curie moved from Warsaw to Paris."


def _tag(text: str) -> TaggedSentence:
    (tagged,) = SpacyTagger().tag([text])
    return tagged


def _tags(text: str) -> dict[str, tuple[str, str]]:
    return {token.text: (token.pos, token.tag) for token in _tag(text).tokens}


def _names(text: str) -> list[str]:
    tagged = _tag(text)
    return [" ".join(t.text for t in tagged.tokens[e.start : e.end]) for e in tagged.entities]


def test_words_get_universal_and_penn_tags() -> None:
    tags = _tags("The small boats slowly crossed a river.")
    assert tags["small"] == ("ADJ", "JJ")
    assert tags["boats"] == ("NOUN", "NNS")
    assert tags["slowly"] == ("ADV", "RB")
    assert tags["crossed"] == ("VERB", "VBD")
    assert tags["."] == ("PUNCT", ".")


@pytest.mark.parametrize(
    ("text", "word", "pos"),
    [
        ("The bridge was built by Romans.", "was", "AUX"),
        ("She has written two novels.", "has", "AUX"),
        ("The town has two churches.", "has", "VERB"),
        ("They did not return.", "did", "AUX"),
        ("They did the work in a week.", "did", "VERB"),
        ("It will be sold.", "will", "AUX"),
    ],
)
def test_auxiliaries_are_told_from_main_verbs(text: str, word: str, pos: str) -> None:
    assert _tags(text)[word][0] == pos


def test_names_of_several_words_are_found_whole() -> None:
    assert _names(SENTENCE) == ["Marie Curie", "Warsaw", "Paris"]


def test_names_come_with_a_type_and_a_probability() -> None:
    entities = _tag(SENTENCE).entities
    assert [entity.label for entity in entities] == ["PERSON", "LOCATION", "LOCATION"]
    assert all(0.5 < (entity.probability or 0) <= 1 for entity in entities)


def test_a_plain_sentence_has_no_names() -> None:
    assert _names("The water was cold and clear.") == []


def test_sentences_come_back_in_order_whatever_the_batches() -> None:
    texts = [f"The {number} ships left." for number in range(300)]
    assert [tagged.text for tagged in SpacyTagger().tag(texts)] == texts


def test_a_sentence_is_tagged_alike_alone_and_among_others() -> None:
    among = list(SpacyTagger().tag(["Rain fell.", SENTENCE, "Snow fell on Oslo."]))[1]
    alone = _tag(SENTENCE)
    assert among.tokens == alone.tokens
    assert [replace(e, probability=None) for e in among.entities] == [
        replace(e, probability=None) for e in alone.entities
    ]
    probabilities = [entity.probability for entity in alone.entities]
    assert [entity.probability for entity in among.entities] == pytest.approx(probabilities)


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])).map(str.lstrip))
def test_tokens_and_spaces_give_any_text_back(text: str) -> None:
    assert _tag(text).text == text


def test_an_empty_text_has_no_tokens() -> None:
    assert _tag("") == TaggedSentence((), ())


def test_white_space_belongs_to_the_word_before_it() -> None:
    assert [(t.text, t.space) for t in _tag("Cats  sleep\t.\n").tokens] == [
        ("Cats", "  "),
        ("sleep", "\t"),
        (".", "\n"),
    ]


def test_entities_count_words_not_white_space() -> None:
    tagged = _tag("In 1903  Marie Curie moved.")
    first = tagged.entities[0]
    assert [t.text for t in tagged.tokens[first.start : first.end]] == ["Marie", "Curie"]


def test_identity_names_the_pipeline_and_digests_its_folder() -> None:
    assert SpacyTagger().identity == {
        "name": "en_pawsmith_tagger",
        "version": "1.0.0",
        "entity_probability": "own scores",
        "sha256": folder_digest(EMBEDDED),
    }


def test_making_a_tagger_reads_nothing() -> None:
    assert SpacyTagger("no_such_pipeline") is not None


def test_a_pipeline_that_does_not_exist_is_an_error_at_first_use() -> None:
    with pytest.raises(OSError, match="no_such_pipeline"):
        list(SpacyTagger("no_such_pipeline").tag(["Rain fell."]))


def test_a_pipeline_without_tags_is_refused(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(ValueError, match="sets no tags"):
        list(SpacyTagger(tmp_path).tag(["Rain fell."]))


@pytest.fixture
def document() -> Callable[..., Doc]:
    nlp: Language = spacy.blank("en")

    def make(*labels: tuple[int, int, str]) -> Doc:
        doc = Doc(nlp.vocab, words=["UN", "in", "Oslo"], tags=["NNP", "IN", "NNP"])
        doc.ents = [Span(doc, start, end, label) for start, end, label in labels]
        return doc

    return make


def test_labels_of_other_pipelines_are_brought_to_ours(document: Callable[..., Doc]) -> None:
    tagged = tagged_sentence(document((0, 1, "ORG"), (2, 3, "GPE")))
    assert [entity.label for entity in tagged.entities] == ["ORGANISATION", "LOCATION"]


def test_a_label_without_counterpart_is_kept(document: Callable[..., Doc]) -> None:
    assert tagged_sentence(document((2, 3, "CHEMICAL"))).entities[0].label == "CHEMICAL"


@pytest.mark.parametrize("label", ["DATE", "CARDINAL", "MONEY"])
def test_dates_and_amounts_are_no_names(document: Callable[..., Doc], label: str) -> None:
    assert [e.label for e in tagged_sentence(document((0, 1, label), (2, 3, "GPE"))).entities] == [
        "LOCATION"
    ]


def test_a_recogniser_without_probabilities_gives_none(document: Callable[..., Doc]) -> None:
    assert tagged_sentence(document((2, 3, "GPE"))).entities == (Entity(2, 3, "LOCATION", None),)


def test_tokens_carry_the_tags_of_the_document(document: Callable[..., Doc]) -> None:
    assert tagged_sentence(document()).tokens[0] == Token("UN", "NNP", "", " ")
