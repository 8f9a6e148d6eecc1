"""Causal models of transformers, beside a plain search that reads every prefix from its start."""

import numpy as np
import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer

from generation.nlp import templates
from generation.nlp.adapters.causal_attention import NAME
from generation.nlp.adapters.causal_model import CausalLanguageModel
from generation.nlp.kinds import MOVABLE
from generation.nlp.language_model import Puzzle
from generation.nlp.swap_settings import WordSwapSettings
from scripts.benchmarks.generation.plain_beam import PlainBeam, word_openers
from tests.generation.nlp import toy
from tests.generation.nlp.adapters import tiny

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
PUZZLES = [Puzzle(templates.build(toy.tagged(text), SETTINGS), max_changes=4) for text in SENTENCES]


@pytest.fixture(scope="module", params=[tiny.gpt2, tiny.llama], ids=["gpt2", "llama"])
def folder(request, tmp_path_factory):
    return request.param(tmp_path_factory.mktemp("model"))


def load(folder, precision="float32"):
    return CausalLanguageModel.load(folder, {"name": "tiny"}, device="cpu", precision=precision)


@pytest.fixture(scope="module")
def model(folder):
    return load(folder)


def test_the_search_finds_what_a_plain_one_finds_with_few_of_its_tokens(model, folder, monkeypatch):
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
    assert model.model.config._attn_implementation == NAME
    shortlists = [(puzzle, beam.fillings) for puzzle, beam in zip(PUZZLES, beams, strict=True)]
    for beam, totals in zip(beams, model.rescore(shortlists), strict=True):
        assert totals == pytest.approx(beam.totals, abs=1e-3)


def test_a_text_is_read_as_it_is_written(model, folder):
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


def test_half_precision_gives_nearly_the_same_scores(model, folder):
    source = [(puzzle, np.array([puzzle.source])) for puzzle in PUZZLES]
    for precision in ("bfloat16", "float16"):
        half = load(folder, precision)
        for a, b in zip(model.rescore(source), half.rescore(source), strict=True):
            assert a == pytest.approx(b, rel=0.05)


def test_a_model_that_cannot_read_trees_is_refused(tmp_path):
    with pytest.raises(ValueError, match="tree"):
        load(tiny.bloom(tmp_path))
