"""Causal models of transformers, beside a plain search that reads every prefix from its start."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from generation.nlp import templates
from generation.nlp.adapters import causal_reader
from generation.nlp.adapters.causal_attention import NAME
from generation.nlp.adapters.causal_model import CausalLanguageModel
from generation.nlp.kinds import MOVABLE
from generation.nlp.language_model import Puzzle
from generation.nlp.rescoring import TwoStageModel
from generation.nlp.swap_settings import WordSwapSettings
from generation.nlp.token_tree import TokenTree, chain
from scripts.benchmarks.generation.plain_beam import PlainBeam, word_openers
from tests.generation.nlp import toy
from tests.generation.nlp.adapters import tiny

WIDTH = 12
FOLDERS = {"gpt2": tiny.gpt2, "llama": tiny.llama}
SENTENCES = (
    "The/DT poet/NN Anna/NNP Kovar/NNP met/VBD Ivy/NNP Kesselring/NNP in/IN the/DT old/JJ town/NN "
    "of/IN Porto/NNP ,/, on/IN a/DT wide/JJ street/NN in/IN the/DT narrow/JJ town/NN of/IN "
    "Geneva/NNP ,/, and/CC then/RB again/RB by/IN the/DT upper/JJ river/NN of/IN Madrid/NNP ./.",
    "Old/JJ windows/NNS of/IN the/DT ground/NN floor/NN contrast/VBP with/IN the/DT wide/JJ "
    "windows/NNS above/IN the/DT narrow/JJ mill/NN by/IN the/DT upper/JJ river/NN ,/, which/WDT "
    "was/VBD sold/VBN as/IN it/PRP stood/VBD to/TO the/DT small/JJ team/NN ./.",
    "In/IN 2003/CD the/DT team/NN won/VBD ,/, as/IN it/PRP had/VBD in/IN 1998/CD and/CC then/RB "
    "once/RB more/RBR in/IN 2001/CD ,/, and/CC all/DT of/IN Porto/NNP sang/VBD ./.",
)


def puzzles() -> list[Puzzle]:
    """Names of several tokens, adjectives at the first place, numbers: many hypotheses, and few."""
    settings = WordSwapSettings(movable=MOVABLE)
    drafts = (templates.build(toy.tagged(text), settings) for text in SENTENCES)
    return [Puzzle(draft, max_changes=4) for draft in drafts]


@pytest.fixture(scope="module", params=FOLDERS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny model."""
    return FOLDERS[request.param](tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def model(folder: Path) -> CausalLanguageModel:
    return CausalLanguageModel.load(folder, {"name": "tiny"}, device="cpu", precision="float32")


@pytest.fixture(scope="module")
def plain(folder: Path) -> PlainBeam:
    """A search with the same model as transformers loads it."""
    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    return PlainBeam(
        model, width=WIDTH, opens_word=word_openers(AutoTokenizer.from_pretrained(folder))
    )


def test_the_search_finds_what_a_plain_one_finds_with_few_of_its_tokens(
    model: CausalLanguageModel, plain: PlainBeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = model.reader()
    monkeypatch.setattr(model, "reader", lambda: reader)
    for puzzle, beam in zip(puzzles(), model.search(puzzles(), width=WIDTH), strict=True):
        expected = plain.search(model.tokenizer.puzzle(puzzle))
        assert len(beam.fillings) == len(expected)
        assert list(map(tuple, beam.fillings[:5].tolist())) == [r.filling for r in expected[:5]]
        assert beam.totals[:, -1] == pytest.approx([row.total for row in expected], abs=1e-3)
    assert reader.nodes_read <= 0.06 * plain.tokens_read


def test_rescoring_gives_the_totals_of_the_search(model: CausalLanguageModel) -> None:
    beams = list(model.search(puzzles(), width=WIDTH))
    shortlists = [(p, beam.fillings) for p, beam in zip(puzzles(), beams, strict=True)]
    for beam, totals in zip(beams, model.rescore(shortlists), strict=True):
        assert totals == pytest.approx(beam.totals, abs=1e-3)


def test_a_text_is_read_as_it_is_written(model: CausalLanguageModel, folder: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    for puzzle in puzzles():
        tokens = model.tokenizer.puzzle(puzzle)
        ids = [token for part in tokens.parts(puzzle.source) for token in part]
        assert ids == tokenizer.encode(
            puzzle.template.text(puzzle.source), add_special_tokens=False
        )


def test_models_attend_within_each_sentence(model: CausalLanguageModel) -> None:
    assert model.model.config._attn_implementation == NAME


def test_a_second_stage_ranks_what_the_first_found(model: CausalLanguageModel) -> None:
    first = list(toy.Bigrams().search(puzzles(), width=WIDTH))
    second = TwoStageModel(toy.Bigrams(), model, best=7).search(puzzles(), width=WIDTH)
    for puzzle, found, ranked in zip(puzzles(), first, second, strict=True):
        rows = set(map(tuple, ranked.fillings.tolist()))
        assert puzzle.source in rows
        assert len(rows) == min(8, len(found.fillings))
        assert rows <= set(map(tuple, found.fillings.tolist()))
        assert (np.diff(ranked.totals[:, -1]) <= 0).all()


@pytest.mark.parametrize("precision", ["bfloat16", "float16"])
def test_half_precision_gives_nearly_the_same_scores(folder: Path, precision: str) -> None:
    whole, half = (
        CausalLanguageModel.load(folder, {}, device="cpu", precision=p)
        for p in ("float32", precision)
    )
    source = [(puzzle, np.array([puzzle.source])) for puzzle in puzzles()]
    for a, b in zip(whole.rescore(source), half.rescore(source), strict=True):
        assert a == pytest.approx(b, rel=0.05)


def test_a_model_that_cannot_read_trees_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="tree"):
        CausalLanguageModel.load(tiny.bloom(tmp_path), {}, device="cpu", precision="float32")


def test_what_looks_like_a_special_token_is_read_as_text(model: CausalLanguageModel) -> None:
    puzzle = toy.puzzle(["The </s> mill", "stood"], [[0], [1]], [0, 1])
    parts = model.tokenizer.puzzle(puzzle).tokens
    assert model.tokenizer.end not in [token for choices in parts for t in choices for token in t]


def test_attention_is_computed_by_blocks_one_for_each_sentence() -> None:
    tree = TokenTree()
    tree.add([*chain(None, [5, 6], []), *chain(None, [7], [])])
    follows = torch.from_numpy(tree.add([*chain(None, [2, 3], []), *chain(None, [4], [])]))
    blocks = causal_reader._blocks(follows, torch.zeros(follows.shape))
    assert [(rows.start, rows.stop, columns.tolist()) for rows, columns, _ in blocks] == [
        (0, 2, [3, 4]),
        (2, 3, [5]),
    ]
