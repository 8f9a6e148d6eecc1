"""Translators of random weights: what they say means nothing, and is always the same."""

import pytest
import torch
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from generation.nlp.adapters import seq2seq_translator
from generation.nlp.adapters.seq2seq_translator import Seq2SeqTranslator, by_length, limit
from tests.generation.nlp.adapters import tiny_translators
from tests.generation.nlp.adapters.tiny_translators import SENTENCES

IDENTITY = {"name": "tiny", "sha256": "0"}
GENERATE = {"num_beams": 3, "num_return_sequences": 3, "max_length": None, "do_sample": False}
GENERATE |= {"return_dict_in_generate": True, "output_scores": True}


@pytest.fixture(scope="module", autouse=True)
def short_translations():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(seq2seq_translator, "GROWTH", 0.5)
        yield


@pytest.fixture(scope="module", params=[False, True], ids=["marian", "begins_with_its_end"])
def folder(request, tmp_path_factory):
    options = {"begins_with_end": True} if request.param else {}
    return tiny_translators.marian(tmp_path_factory.mktemp("model"), **options)


@pytest.fixture(scope="module")
def translator(folder):
    return Seq2SeqTranslator.load(folder, IDENTITY)


def assert_alike(found, wanted):
    texts = [[[one.text for one in some] for some in both] for both in (found, wanted)]
    assert texts[0] == texts[1]
    for some, others in zip(found, wanted, strict=True):
        assert [one.score for one in some] == pytest.approx([o.score for o in others], abs=1e-4)


def test_sentences_are_translated_together_as_if_alone(translator, monkeypatch):
    together = translator.translate(SENTENCES, 4)
    assert_alike(together, [translator.translate([text], 4)[0] for text in SENTENCES])
    assert len({len(some[0].text) for some in together}) > 3  # else lengths would show nothing
    monkeypatch.setitem(seq2seq_translator.PASS, "cpu", 60)
    assert_alike(translator.translate(SENTENCES[::-1], 4)[::-1], together)
    assert translator.translate([], 5) == []
    for some in together:
        scores = [one.score for one in some]
        assert scores == sorted(scores, reverse=True)
        assert len({one.text for one in some}) == len(some) <= 4
    (best,) = translator.translate(SENTENCES[:1], 1)[0]
    assert best in translator.translate(SENTENCES[:1], 2)[0]


def test_a_score_is_the_likelihood_of_the_translation(translator, folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    model.generation_config.forced_eos_token_id = model.config.eos_token_id
    for sentence in SENTENCES[:3]:
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
    with monkeypatch.context() as patched:
        patched.setattr(seq2seq_translator, "GROWTH", 0.0)
        patched.setattr(seq2seq_translator, "MARGIN", 4)
        several = translator.translate(SENTENCES, 2)
        assert all(len(one.text.split()) <= 4 for some in several for one in some)
    monkeypatch.setattr(seq2seq_translator, "MAX_TOKENS", 12)
    cut, longer = translator.translate(["team " * 20, "team " * 200], 2)
    assert cut == longer


def test_a_prefix_and_half_precision_are_choices(translator, folder):
    prefixed = Seq2SeqTranslator.load(folder, IDENTITY, prefix="In 1953 ", precision="bfloat16")
    half = Seq2SeqTranslator.load(folder, IDENTITY, precision="bfloat16")
    assert prefixed.translate(["the team"], 3) == half.translate(["In 1953 the team"], 3)
    assert half._model.dtype is torch.bfloat16


def test_batches_hold_texts_of_like_length_within_the_budget():
    lengths = [9, 2, 40, 3, 9, 2, 8]
    assert list(by_length(lengths, 18)) == [[1, 5, 3], [6, 0], [4], [2]]
    assert list(by_length([], 18)) == []
