"""Causal models beside a plain search that reads every prefix from its start; translators."""

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

from generation.nlp.adapters import causal_batches, seq2seq
from generation.nlp.adapters.causal import BLOCKWISE, CausalLanguageModel
from generation.nlp.adapters.causal_batches import batches_by_length
from generation.nlp.adapters.seq2seq import Seq2SeqTranslator, limit
from generation.nlp.language_model import Puzzle
from generation.nlp.phrases import MOVABLE
from generation.nlp.settings import WordSwapSettings
from support.plain_beam import PlainBeam, word_openers
from tests.generation.nlp import toy
from tests.generation.nlp.adapters import tiny
from tests.generation.nlp.adapters.tiny import TRANSLATED

WIDTH = 12
# Names of several tokens, adjectives at the first place, numbers: many hypotheses, and few.
SENTENCES = (
    "The/DT poet/NN Anna/NNP Kovar/NNP met/VBD Ivy/NNP Kesselring/NNP in/IN the/DT old/JJ town/NN "
    "of/IN Porto/NNP ,/, on/IN a/DT wide/JJ street/NN in/IN the/DT narrow/JJ town/NN of/IN "
    "Geneva/NNP ,/, and/CC then/RB again/RB by/IN the/DT upper/JJ river/NN of/IN Madrid/NNP ./.",
    "Old/JJ windows/NNS of/IN the/DT ground/NN floor/NN contrast/VBP with/IN the/DT wide/JJ "
    "windows/NNS above/IN the/DT narrow/JJ mill/NN by/IN the/DT upper/JJ river/NN ,/, which/WDT "
    "was/VBD sold/VBN as/IN it/PRP stood/VBD to/TO the/DT small/JJ team/NN ./.",
    "In/IN 2003/CD the/DT team/NN won/VBD ,/, as/IN it/PRP had/VBD in/IN 1998/CD ./.",
)
SETTINGS = WordSwapSettings(movable=MOVABLE)
PUZZLES = [Puzzle(toy.template(toy.tagged(text), SETTINGS), max_changes=4) for text in SENTENCES]
GENERATE = {"num_beams": 3, "num_return_sequences": 3, "max_length": None, "do_sample": False}
GENERATE |= {"return_dict_in_generate": True, "output_scores": True}
IDENTITY = {"name": "tiny", "sha256": "0"}


def load(folder, precision="float32"):
    return CausalLanguageModel.load(folder, IDENTITY, device="cpu", precision=precision)


@pytest.fixture(scope="module", params=[tiny.gpt2, tiny.llama], ids=["gpt2", "llama"])
def causal(request, tmp_path_factory):
    folder = request.param(tmp_path_factory.mktemp("model"))
    return load(folder), folder


def test_the_search_finds_what_a_plain_one_finds_with_few_of_its_tokens(causal, monkeypatch):
    model, folder = causal
    opens_word = word_openers(AutoTokenizer.from_pretrained(folder))
    as_loaded = AutoModelForCausalLM.from_pretrained(folder).eval()
    plain = PlainBeam(as_loaded, width=WIDTH, opens_word=opens_word)
    reader = model.reader()
    with monkeypatch.context() as patched:
        patched.setattr(model, "reader", lambda: reader)
        beams = list(model.search(PUZZLES, width=WIDTH))
    for puzzle, beam in zip(PUZZLES, beams, strict=True):
        expected = plain.search(model.tokenizer.puzzle(puzzle))
        assert len(beam.fillings) == len(expected)
        assert list(map(tuple, beam.fillings[:5].tolist())) == [r.filling for r in expected[:5]]
        assert beam.totals[:, -1] == pytest.approx([row.total for row in expected], abs=1e-3)
    assert reader.nodes_read <= 0.06 * plain.tokens_read
    assert model.model.config._attn_implementation == BLOCKWISE
    texts = [
        [puzzle.template.text(row) for row in beam.fillings.tolist()]
        for puzzle, beam in zip(PUZZLES, beams, strict=True)
    ]
    for in_batches in (False, True):
        # Batches are what a GPU reads: several, of texts of unlike lengths.
        monkeypatch.setattr(causal_batches, "TOKENS", 300)
        monkeypatch.setattr(causal_batches, "TEXTS", 20)
        monkeypatch.setattr(model, "reads_batches", in_batches)
        for beam, scores in zip(beams, model.log_likelihoods(texts), strict=True):
            assert scores == pytest.approx(beam.totals[:, -1], abs=1e-3)


def test_a_text_is_read_as_it_is_written(causal):
    model, folder = causal
    tokenizer = AutoTokenizer.from_pretrained(folder)
    for puzzle in PUZZLES:
        tokens = model.tokenizer.puzzle(puzzle)
        ids = [token for part in tokens.parts(puzzle.source) for token in part]
        text = puzzle.template.text(puzzle.source)
        assert ids == tokenizer.encode(text, add_special_tokens=False)
    # What looks like a special token is text.
    parts = model.tokenizer.puzzle(toy.puzzle(["The </s> mill", "stood"], [[0], [1]], [0, 1]))
    found = [token for choices in parts.tokens for tokens in choices for token in tokens]
    assert model.tokenizer.end not in found


def test_half_precision_gives_nearly_the_same_scores(causal):
    model, folder = causal
    source = [[puzzle.template.text(puzzle.source)] for puzzle in PUZZLES]
    for precision in ("bfloat16", "float16"):
        half = load(folder, precision)
        for a, b in zip(model.log_likelihoods(source), half.log_likelihoods(source), strict=True):
            assert a == pytest.approx(b, rel=0.05)


def test_a_model_that_cannot_read_trees_is_refused(tmp_path):
    with pytest.raises(ValueError, match="tree"):
        load(tiny.bloom(tmp_path))


@pytest.fixture(autouse=True)
def short_translations(monkeypatch):
    monkeypatch.setattr(seq2seq, "GROWTH", 0.5)


@pytest.fixture(scope="module", params=[{}, {"begins_with_end": True}], ids=["marian", "bart"])
def folder(request, tmp_path_factory):
    return tiny.marian(tmp_path_factory.mktemp("model"), **request.param)


@pytest.fixture(scope="module")
def translator(folder):
    return Seq2SeqTranslator.load(folder, IDENTITY)


def assert_alike(found, wanted):
    for some, others in zip(found, wanted, strict=True):
        expected = [(one.text, pytest.approx(one.score, abs=1e-4)) for one in others]
        assert [(one.text, one.score) for one in some] == expected


def test_sentences_are_translated_together_as_if_alone(translator, monkeypatch):
    together = translator.translate(TRANSLATED, 4)
    assert_alike(together, [translator.translate([text], 4)[0] for text in TRANSLATED])
    assert len({len(some[0].text) for some in together}) > 3  # else lengths would show nothing
    monkeypatch.setitem(seq2seq.PASS, "cpu", 60)
    assert_alike(translator.translate(TRANSLATED[::-1], 4)[::-1], together)
    assert translator.translate([], 5) == []
    for some in together:
        scores = [one.score for one in some]
        assert scores == sorted(scores, reverse=True)
        assert len({one.text for one in some}) == len(some) <= 4
    (best,) = translator.translate(TRANSLATED[:1], 1)[0]
    assert best in translator.translate(TRANSLATED[:1], 2)[0]


def test_a_score_is_the_likelihood_of_the_translation(translator, folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    model.generation_config.forced_eos_token_id = model.config.eos_token_id
    for sentence in TRANSLATED[:3]:
        encoded = tokenizer(sentence, return_tensors="pt")
        with torch.inference_mode():
            most = limit(encoded["input_ids"].shape[1])
            whole = model.generate(**encoded, **GENERATE, max_new_tokens=most)
        steps = model.compute_transition_scores(whole.sequences, whole.scores, whole.beam_indices)
        texts = tokenizer.batch_decode(whole.sequences, skip_special_tokens=True)
        scored = zip(steps.sum(dim=1).tolist(), texts, strict=True)
        wanted = {text: score for score, text in sorted(scored)}
        found = {one.text: one.score for one in translator.translate([sentence], 3)[0]}
        assert found == pytest.approx(wanted, abs=1e-4)


def test_texts_and_translations_have_their_limits(translator, monkeypatch):
    monkeypatch.setattr(seq2seq, "MAX_TOKENS", 12)
    cut, longer = translator.translate(["team " * 20, "team " * 200], 2)
    assert cut == longer
    monkeypatch.setattr(seq2seq, "GROWTH", 0.0)
    monkeypatch.setattr(seq2seq, "MARGIN", 4)
    several = translator.translate(TRANSLATED, 2)
    assert all(len(one.text.split()) <= 4 for some in several for one in some)
    monkeypatch.undo()
    monkeypatch.setattr(translator._model.config, "max_position_embeddings", 9)
    shorter, longer = translator.translate(["team " * 8, "team " * 200], 2)
    assert shorter == longer
    # Batches hold texts of like length within the budget.
    assert list(batches_by_length([9, 2, 40, 3, 9, 2, 8], 18)) == [[1, 5, 3], [6, 0], [4], [2]]
    assert list(batches_by_length([], 18)) == []


def test_a_prefix_and_half_precision_are_choices(translator, folder):
    prefixed = Seq2SeqTranslator.load(folder, IDENTITY, prefix="In 1953 ", precision="bfloat16")
    half = Seq2SeqTranslator.load(folder, IDENTITY, precision="bfloat16")
    assert prefixed.translate(["the team"], 3) == half.translate(["In 1953 the team"], 3)
    assert half._model.dtype is torch.bfloat16
