"""Translators of random weights: what they say means nothing, and is always the same."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from generation.nlp.adapters import seq2seq_translator
from generation.nlp.adapters.seq2seq_translator import Seq2SeqTranslator, by_length, limit
from generation.nlp.translation import Translations
from tests.generation.nlp.adapters import tiny_translators
from tests.generation.nlp.adapters.tiny_translators import SENTENCES

IDENTITY = {"name": "tiny", "sha256": "0"}


@pytest.fixture(scope="module", params=["marian", "bart"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    make: Callable[[Path], Path] = getattr(tiny_translators, request.param)
    return make(tmp_path_factory.mktemp("models") / request.param)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One thread, which is faster where there is so little to compute, and short translations."""
    monkeypatch.setattr(seq2seq_translator, "GROWTH", 0.5)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def translator(folder: Path) -> Seq2SeqTranslator:
    return Seq2SeqTranslator.load(folder, IDENTITY)


def assert_alike(found: Sequence[Translations], wanted: Sequence[Translations]) -> None:
    assert [[one.text for one in some] for some in found] == [
        [one.text for one in some] for some in wanted
    ]
    for some, others in zip(found, wanted, strict=True):
        assert [one.score for one in some] == pytest.approx([o.score for o in others], abs=1e-4)


def test_sentences_translated_together_are_as_if_translated_alone(
    translator: Seq2SeqTranslator,
) -> None:
    together = translator.translate(SENTENCES, 4)
    assert_alike(together, [translator.translate([text], 4)[0] for text in SENTENCES])
    assert all(len(some) > 1 for some in together)
    lengths = {len(some[0].text) for some in together}
    assert len(lengths) > 3  # or nothing would have been shown about lengths


def test_how_many_are_translated_at_once_has_no_effect(
    translator: Seq2SeqTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = translator.translate(SENTENCES, 3)
    monkeypatch.setitem(seq2seq_translator.PASS, "cpu", 60)
    assert_alike(translator.translate(SENTENCES[::-1], 3)[::-1], wanted)


def test_the_best_come_first_and_each_text_once(translator: Seq2SeqTranslator) -> None:
    for some in translator.translate(SENTENCES, 5):
        scores = [one.score for one in some]
        assert scores == sorted(scores, reverse=True)
        assert len({one.text for one in some}) == len(some) <= 5


def test_a_single_translation_is_the_best_of_a_beam(translator: Seq2SeqTranslator) -> None:
    (best,) = translator.translate(SENTENCES[:1], 1)[0]
    assert best in translator.translate(SENTENCES[:1], 2)[0]


def test_a_score_is_the_likelihood_that_generate_tells_where_it_may_keep_everything(
    translator: Seq2SeqTranslator, folder: Path
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    for sentence in SENTENCES:
        told = generated(model, tokenizer(sentence, return_tensors="pt"))
        steps = model.compute_transition_scores(told.sequences, told.scores, told.beam_indices)
        texts = tokenizer.batch_decode(told.sequences, skip_special_tokens=True)
        wanted = sorted(zip(texts, steps.sum(dim=1).tolist(), strict=True), key=lambda b: -b[1])
        found = [(one.text, one.score) for one in translator.translate([sentence], 3)[0]]
        assert dict(found) == pytest.approx(dict(wanted[::-1]), abs=1e-4)


def generated(model: Any, encoded: Any) -> Any:
    """What `generate` gives for one sentence alone, with the log-probabilities of everything."""
    most = limit(encoded["input_ids"].shape[1])
    with torch.inference_mode():
        return model.generate(
            **encoded,
            num_beams=3,
            num_return_sequences=3,
            max_new_tokens=most,
            max_length=None,
            forced_eos_token_id=model.config.eos_token_id,
            do_sample=False,
            return_dict_in_generate=True,
            output_scores=True,
        )


def test_no_translation_is_longer_than_its_limit(
    translator: Seq2SeqTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seq2seq_translator, "GROWTH", 0.0)
    monkeypatch.setattr(seq2seq_translator, "MARGIN", 4)
    for some in translator.translate(SENTENCES, 2):
        assert all(len(translator._encoded(one.text)) <= 8 for one in some)
        assert all(len(one.text.split()) <= 4 for one in some)


def test_a_prefix_stands_before_every_text(folder: Path) -> None:
    plain = Seq2SeqTranslator.load(folder, IDENTITY)
    prefixed = Seq2SeqTranslator.load(folder, IDENTITY, prefix="In 1953 ")
    assert prefixed.translate(["the team"], 3) == plain.translate(["In 1953 the team"], 3)


def test_half_precision_is_a_choice(folder: Path) -> None:
    translator = Seq2SeqTranslator.load(folder, IDENTITY, precision="bfloat16")
    assert translator.translate(SENTENCES, 2) == translator.translate(SENTENCES, 2)
    assert translator._model.dtype is torch.bfloat16


def test_nothing_gives_nothing(translator: Seq2SeqTranslator) -> None:
    assert translator.translate([], 5) == []


def test_a_text_beyond_what_the_model_takes_is_cut_off(
    translator: Seq2SeqTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seq2seq_translator, "MAX_TOKENS", 12)
    ten, hundred = ("team " * number for number in (20, 200))
    assert translator.translate([hundred], 2) == translator.translate([ten], 2)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises((OSError, ValueError)):
        Seq2SeqTranslator.load(tmp_path, IDENTITY)


def test_batches_hold_texts_of_like_length_within_the_budget() -> None:
    lengths = [9, 2, 40, 3, 9, 2, 8]
    assert list(by_length(lengths, 18)) == [[1, 5, 3], [6, 0], [4], [2]]
    assert list(by_length([], 18)) == []
