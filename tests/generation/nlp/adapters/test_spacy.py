"""spaCy pipelines as taggers: the embedded one and others, what their files say, their scores."""

import json
from dataclasses import replace

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, Span

from generation.nlp.adapters.model_files import folder_digest
from generation.nlp.adapters.spacy_documents import score_names, tagged_sentence
from generation.nlp.adapters.spacy_pipelines import UnreadablePipeline, files_of
from generation.nlp.adapters.spacy_tagger import EMBEDDED, SpacyTagger
from generation.nlp.tagging import Entity, Token
from tests.generation.nlp.adapters import tiny_pipelines as tiny

SENTENCE = "In 1903  Marie Curie moved from Warsaw to Paris."
TEXTS = [tiny.TEXT, "Paris misses Marie Curie.", "", "Oslo and Marie Warsaw left Rome for Curie."]
CROSSING = [("boats", ("NOUN", "NNS")), ("slowly", ("ADV", "RB")), (".", ("PUNCT", "."))]
META = {"lang": "en", "name": "tiny", "version": "1.2.3"}


def tag(text):
    (tagged,) = SpacyTagger().tag([text])
    return tagged


def test_words_get_universal_and_penn_tags_and_auxiliaries_are_no_main_verbs():
    for text, word, tags in (
        *[("The small boats slowly crossed a river.", word, tags) for word, tags in CROSSING],
        ("The bridge was built by Romans.", "was", ("AUX", "VBD")),
        ("She has written two novels.", "has", ("AUX", "VBZ")),
        ("The town has two churches.", "has", ("VERB", "VBZ")),
        ("They did not return.", "did", ("AUX", "VBD")),
        ("They did the work in a week.", "did", ("VERB", "VBD")),
        ("It will be sold.", "will", ("AUX", "MD")),
    ):
        assert {t.text: (t.pos, t.tag) for t in tag(text).tokens}[word] == tags, text


def assert_alike(found, expected):
    for one, other in zip(found, expected, strict=True):
        names = [replace(e, probability=pytest.approx(e.probability)) for e in other.entities]
        assert (one.tokens, list(one.entities)) == (other.tokens, names)


def test_names_are_found_whole_and_sentences_come_back_in_order_tagged_as_if_alone():
    names = [(entity.start, entity.end, entity.label) for entity in tag(SENTENCE).entities]
    assert names == [(2, 4, "PERSON"), (6, 7, "LOCATION"), (8, 9, "LOCATION")]
    assert all(0.5 < entity.probability <= 1 for entity in tag(SENTENCE).entities)
    assert tag("The water was cold and clear.").entities == ()
    texts = [*(f"The {number} ships left." for number in range(200)), SENTENCE]
    found = list(SpacyTagger().tag(texts))
    assert [tagged.text for tagged in found] == texts
    assert_alike(found[-1:], [tag(SENTENCE)])


def test_an_apostrophe_of_either_form_gives_the_same_tags_and_names():
    curly = "Jerry isn’t behind Tom’s shoulder, ‘Ann’ is."
    found, straight = tag(curly), tag(curly.replace("’", "'"))
    assert found.text == curly
    plain = [replace(token, text=token.text.replace("’", "'")) for token in found.tokens]
    assert (tuple(plain), found.entities) == (straight.tokens, straight.entities)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])).map(str.lstrip))
def test_tokens_and_spaces_give_any_text_back(text):
    assert tag(text).text == text


def test_labels_of_other_pipelines_are_brought_to_ours_and_amounts_are_no_names():
    vocab = spacy.blank("en").vocab
    for labels, expected in (
        (["ORG", "GPE"], ["ORGANISATION", "LOCATION"]),
        (["CHEMICAL", "PER"], ["CHEMICAL", "PERSON"]),
        *[([label, "GPE"], ["LOCATION"]) for label in ("DATE", "CARDINAL", "MONEY")],
    ):
        doc = Doc(vocab, words=["UN", "in", "Oslo"], tags=["NNP", "IN", "NNP"])
        doc.ents = [Span(doc, start, start + 1, x) for start, x in zip((0, 2), labels, strict=True)]
        tagged = tagged_sentence(doc, doc.text)
        assert [entity.label for entity in tagged.entities] == expected
        assert {entity.probability for entity in tagged.entities} == {None}
        assert tagged.tokens[0] == Token("UN", "NNP", "", " ")


def pipeline(folder, *components, disabled=(), **meta):
    (folder / "meta.json").write_text(json.dumps(META | meta))
    parts = "".join(f'[components.{c}]\nfactory = "{c}"\nnO = 1\nno = 2\n' for c in components)
    lists = f"pipeline = {json.dumps(components)}\ndisabled = {json.dumps(disabled)}\n"
    (folder / "config.cfg").write_text(f"[nlp]\n{lists}{parts}")
    return files_of(folder)


def test_the_identity_says_where_probabilities_come_from(tmp_path):
    for components, disabled, expected in (
        *((["tagger", name], [], "beam of 16 parses") for name in ("ner", "beam_ner")),
        (["tagger", "ner", "spancat"], [], "beam of 16 parses"),
        *((["tagger", *names], ["ner"], "none given") for names in ([], ["entity_ruler"], ["ner"])),
    ):
        identity = pipeline(tmp_path, *components, disabled=disabled).identity
        assert identity == {"name": "en_tiny", "version": "1.2.3", "entity_probability": expected}
    embedded = {"name": "en_pawsmith_tagger", "version": "1.0.0", "sha256": folder_digest(EMBEDDED)}
    assert SpacyTagger().identity == embedded | {"entity_probability": "own scores"}


def test_a_folder_must_hold_a_pipeline_that_sets_tags_and_have_what_it_needs(tmp_path):
    pipeline(tmp_path, "tagger", "ner").check()
    with pytest.raises(UnreadablePipeline, match="sets no tags"):
        pipeline(tmp_path, "ner", "sentencizer").check()
    needs = ["spacy>=3", "spacy>=99", "no-such-package<1", "not a requirement"]
    with pytest.raises(UnreadablePipeline, match=r": spacy>=99, no-such-package<1, not a requirem"):
        pipeline(tmp_path, "tagger", requirements=needs).check()
    (tmp_path / "meta.json").unlink()
    meta = json.dumps(META)
    for meta_json, config in (
        *((None, ""), ("[]", ""), (meta, ""), (meta, "no configuration")),
        *((meta, "[nlp]\npipeline = [tagger\n"), (meta, '[nlp]\npipeline = ["tagger"]\n')),
    ):
        (tmp_path / "config.cfg").write_text(config)
        if meta_json is not None:
            (tmp_path / "meta.json").write_text(meta_json)
        with pytest.raises(UnreadablePipeline):
            _ = files_of(tmp_path).identity
    with pytest.raises(UnreadablePipeline, match="There is no spaCy pipeline"):
        files_of(tmp_path / "none")


def test_a_recogniser_gives_its_entities_the_probabilities_of_a_beam(tmp_path):
    # It has learnt little, so that its beam holds parses that differ.
    unsure = tiny.saved(tiny.with_recogniser(steps=20), tmp_path)
    nlp = spacy.load(unsure)
    recogniser = nlp.get_pipe("ner")
    (beam,) = recogniser.beam_parse([nlp.make_doc(TEXTS[-1])], beam_width=16, beam_density=0.0001)
    parses = recogniser.moves.get_beam_parses(beam)
    among = list(SpacyTagger(unsure).tag(TEXTS))
    assert any(0.05 < e.probability < 0.95 for tagged in among for e in tagged.entities)
    for entity in among[-1].entities:
        place = (entity.start, entity.end)
        holding = [s for s, names in parses if any(name[:2] == place for name in names)]
        assert entity.probability == pytest.approx(sum(holding) / sum(s for s, _ in parses))
    assert_alike(among, [next(SpacyTagger(unsure).tag([text])) for text in TEXTS])
    # Names that rules find have no probability.
    ruler = nlp.add_pipe("entity_ruler", before="ner")
    ruler.add_patterns([{"label": "ORG", "pattern": "Marie Curie left"}])
    score_names(nlp)
    first, *others = tagged_sentence(nlp(tiny.TEXT), tiny.TEXT).entities
    assert first == Entity(0, 3, "ORGANISATION", None)
    assert None not in [entity.probability for entity in others]


def test_a_pipeline_that_knows_a_sentence_is_nearly_certain_of_its_names(tmp_path):
    (found,) = SpacyTagger(tiny.saved(tiny.with_recogniser(steps=60), tmp_path)).tag([tiny.TEXT])
    names = [(e.start, e.end, e.label) for e in found.entities]
    assert names == [(0, 2, "PERSON"), (3, 4, "LOCATION"), (5, 6, "LOCATION")]
    assert all(0.9 < e.probability <= 1 for e in found.entities)
