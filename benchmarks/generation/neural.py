"""Word swap with a neural model the size of GPT-2 small, on one thread: tokens read, speed, rate.

The weights are random, which costs the same as trained ones; the tokeniser is trained on the file.
The plain search reads every extended prefix of one sentence from its beginning, word by word.
"""

import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.generation.parts import Options, embedded_model, texts_of
from benchmarks.table import Figure, at_least, at_most
from generation.nlp import templates
from generation.nlp.adapters.causal import CausalLanguageModel
from generation.nlp.language_model import Beam, LanguageModel, Puzzle
from generation.nlp.settings import WordSwapSettings
from generation.nlp.templates import Sentence
from generation.nlp.token_search import grow
from generation.nlp.token_tree import run_together
from support.plain_beam import Hypothesis, PlainBeam, word_openers

SENTENCES, WIDTH, BEST = 40, 100, 5
# The plain search of a sentence with more fillings takes minutes.
MOST_FILLINGS = 6
# Two stages are for sentences that fill the beam: words of all kinds move, as in the paper.
WIDE_SENTENCES, RESCORED = 5, 25
VOCABULARY = 50_257
PROBED_SHAPES = ((256, 768, 2304), (256, 768, 3072), (256, 3072, 768), (256, 768, VOCABULARY))


@dataclass(frozen=True, slots=True)
class Timed:
    """What came of something, and the CPU seconds that it took."""

    result: Any
    seconds: float


def figures(options: Options) -> list[Figure]:
    """The figures of this part."""
    import torch

    torch.set_num_threads(1)
    lines = list(texts_of(options.file))
    with tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder:
        _save_model(Path(folder), lines, options.seed)
        model = CausalLanguageModel.load(Path(folder), {}, device="cpu", precision="float32")
    embedded = embedded_model()
    tagged = _tagged(lines)
    narrow = _first_puzzles(
        tagged, WordSwapSettings(beam=WIDTH), embedded, 2, MOST_FILLINGS, SENTENCES
    )
    wide = _first_puzzles(tagged, _settings_that_move_all(), embedded, WIDTH, WIDTH, WIDE_SENTENCES)
    return [*_plain_search_figures(model, narrow), _rescoring_figure(model, embedded, wide)]


def _save_model(folder: Path, lines: Sequence[str], seed: int) -> None:
    """A model as GPT-2 small, with a tokeniser of bytes and what pairs are frequent in the file."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    tokenizer, end = Tokenizer(models.BPE()), "<|endoftext|>"
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[end],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer_class: Any = PreTrainedTokenizerFast
    tokenizer_class(tokenizer_object=tokenizer, bos_token=end, eos_token=end).save_pretrained(
        folder
    )
    torch.manual_seed(seed)
    GPT2LMHeadModel(GPT2Config(vocab_size=VOCABULARY)).save_pretrained(folder)


def _settings_that_move_all() -> WordSwapSettings:
    from generation.nlp.phrases import MOVABLE

    return WordSwapSettings(beam=WIDTH, movable=MOVABLE, max_changes=1000)


def _tagged(lines: Sequence[str]) -> list[Any]:
    from generation.nlp.adapters.spacy_tagger import SpacyTagger

    return list(SpacyTagger().tag(lines[:1000]))


def _first_puzzles(
    tagged: Sequence[Any],
    settings: WordSwapSettings,
    model: LanguageModel,
    fewest: int,
    most: int,
    count: int,
) -> list[Puzzle]:
    """Return the first puzzles with `fewest` to `most` fillings in the beam."""
    lengths = range(settings.min_tokens, settings.max_tokens + 1)
    sentences = (
        Sentence.from_tagged(tagged_sentence, settings)
        for tagged_sentence in tagged
        if len(tagged_sentence.tokens) in lengths
    )
    drafts = (templates.build(sentence, settings) for sentence in sentences)
    puzzles = [Puzzle(draft, settings.max_changes) for draft in drafts if draft.has_choice]
    beams = zip(puzzles, model.search(puzzles, width=WIDTH), strict=True)
    suiting = (puzzle for puzzle, beam in beams if fewest <= len(beam.fillings) <= most)
    return list(islice(suiting, count))


def _plain_search_figures(model: CausalLanguageModel, puzzles: list[Puzzle]) -> list[Figure]:
    texts = list(map(model.tokenizer.puzzle, puzzles))
    openers = word_openers(model.tokenizer.tokenizer)
    plain_search, reader = PlainBeam(model.model, width=WIDTH, opens_word=openers), model.reader()
    rate_before = _matrix_rate()
    tree = _run_timed(
        run_together((grow(p, width=WIDTH) for p in texts), reader, nodes=model.nodes)
    )
    probe_rate = (rate_before + _matrix_rate()) / 2
    expected = _run_timed(map(plain_search.search, texts))
    agreements = sum(map(_agree, tree.result, expected.result))
    weight_rate = reader.nodes_read * _work_of_a_token(model.model) / tree.seconds / 1e9
    count, unit = len(puzzles), "sentences/core-second"
    print(
        f"The plain search: the first {count} sentences with 2 to {MOST_FILLINGS} fillings, "
        f"default settings, beam {WIDTH}; it reads {plain_search.tokens_read:,} tokens, and would "
        f"read {plain_search.tokens_read_by_slots:,} if it took adjacent fixed words in one step."
    )
    speed, plain_speed = count / tree.seconds, count / expected.seconds
    few_tokens, most_work = at_most(0.06, of_ratio=True), at_least(0.65, of_ratio=True)
    return [
        Figure("same five best, within 1e-3", agreements, "sentences", goal=at_least(SENTENCES)),
        Figure(
            "token-forwards, to plain search",
            reader.nodes_read,
            "",
            plain_search.tokens_read,
            few_tokens,
        ),
        Figure(
            "neural beam, to plain search", speed, unit, plain_speed, at_least(12, of_ratio=True)
        ),
        Figure(
            "multiplications by weights, to probe", weight_rate, "GFLOP/s", probe_rate, most_work
        ),
    ]


def _agree(beam: Beam, plain: Sequence[Hypothesis]) -> bool:
    """Whether the five best are the same, with the same scores."""
    rows, totals = beam.fillings[:BEST].tolist(), beam.totals[:BEST, -1].tolist()
    scored = zip(rows, totals, plain[:BEST], strict=True)
    return all(tuple(row) == p.filling and abs(t - p.total) <= 1e-3 for row, t, p in scored)


def _rescoring_figure(
    model: CausalLanguageModel, embedded: LanguageModel, puzzles: list[Puzzle]
) -> Figure:
    neural = _run_timed(model.search(puzzles, width=WIDTH))
    beams = zip(puzzles, embedded.search(puzzles, width=WIDTH), strict=True)
    rescored = _run_timed(model.log_likelihoods(_texts(*puzzle_beam) for puzzle_beam in beams))
    print(
        f"Two stages: the first {len(puzzles)} sentences that fill a beam of {WIDTH} "
        "when words of all kinds move."
    )
    return Figure(
        f"two stages, {RESCORED} rescored, to neural beam",
        len(puzzles) / rescored.seconds,
        "sentences/core-second",
        len(puzzles) / neural.seconds,
        at_least(4, of_ratio=True),
    )


def _texts(puzzle: Puzzle, beam: Beam) -> list[str]:
    """The source and the likeliest rewrites of a beam."""
    template = puzzle.template
    best = [template.text(row) for row in beam.fillings[: RESCORED + 1].tolist()]
    return list(dict.fromkeys([template.text(template.source), *best]))[: RESCORED + 1]


def _run_timed(results: Iterable[Any]) -> Timed:
    began = time.process_time()
    items = list(results)
    return Timed(items, time.process_time() - began)


def _work_of_a_token(model: Any) -> int:
    """Multiplications and additions by the weights of the layers and of the vocabulary."""
    sizes = (weight.numel() for weight in model.transformer.h.parameters() if weight.dim() == 2)
    work: int = 2 * (sum(sizes) + model.lm_head.weight.numel())
    return work


def _matrix_rate() -> float:
    """GFLOP/s of matrix products with the shapes of the model, as often as it has them."""
    import torch

    layers, work, seconds = 12, 0, 0.0
    for rows, inner, columns in PROBED_SHAPES:
        left, right = torch.randn(rows, inner), torch.randn(inner, columns)
        torch.mm(left, right)
        times = 1 if columns == VOCABULARY else layers
        began = time.process_time()
        for _ in range(3 * times):
            torch.mm(left, right)
        seconds += time.process_time() - began
        work += 3 * times * 2 * rows * inner * columns
    return work / seconds / 1e9
