"""Networks: who can tell who does what to whom, and that the same seed gives the same model."""

import numpy as np
import pytest
import torch
import transformers as hf
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from evaluation import measures
from evaluation.data import Pairs
from evaluation.models_by_name import NETWORKS, NoModel, model
from evaluation.networks.encoder import EncoderModel
from evaluation.networks.network import NetworkModel
from evaluation.networks.training import Settings
from generation.nlp.measures import words
from support.model_pairs import VERBS, order_set
from tests.releases.dataset.studies import contents

TRAIN, DEV, TEST = order_set(1200, seed=1), order_set(300, seed=2), order_set(300, seed=3)
SMALL, SMALL_DEV = TRAIN.take(range(200)), DEV.take(range(60))
NONE = Pairs.from_rows([])
# Of the smallest pair to the longest text.
MIXED = Pairs.from_rows(
    [
        ("1", "", "yes", 0),
        ("2", "The cat saw the dog.", "The dog saw the cat.", 0),
        ("3", "The cat saw the dog. " * 12, "The cat saw the dog. " * 12, 1),
    ]
)


def accuracy(fitted, pairs=TEST):
    return measures.confusion(pairs.labels, fitted.scores(pairs)).scores.accuracy


def short(name, epochs=1):
    """A network that is trained for a moment."""
    full = model(name)
    return NetworkModel(name, full.build, settings=Settings(epochs=epochs))


def test_who_does_what_to_whom_is_learned():
    """By the other networks that see word order too: see tests/thorough/learning."""
    assert accuracy(model("esim").fit(TRAIN, DEV, seed=1)) >= 0.95


def shuffled(some):
    """The pairs with random labels, of which exactly half are right for each true label."""
    labels, random = some.labels.copy(), np.random.default_rng(0)
    for label in (0, 1):
        places = random.permutation(np.flatnonzero(some.labels == label))
        labels[places[: len(places) // 2]] = 1 - label
    return Pairs(some.ids, some.first, some.second, labels)


def test_shuffled_labels_teach_nothing():
    fitted = short("esim", epochs=3).fit(shuffled(SMALL), shuffled(SMALL_DEV), seed=1)
    assert accuracy(fitted, order_set(2000, seed=4)) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_same_seed_gives_the_same_scores_and_another_others(name):
    network = short(name)
    fits = [network.fit(SMALL, SMALL_DEV, seed=seed) for seed in (1, 1, 2)]
    first, again, other = (fitted.scores(SMALL_DEV) for fitted in fits)
    assert (first == again).all()
    assert (first != other).any()
    assert fits[0].parameters <= 600_000


@pytest.mark.parametrize("name", NETWORKS)
def test_a_pair_scores_the_same_whatever_pairs_are_beside_it(name):
    fitted = short(name).fit(SMALL, SMALL_DEV, seed=1)
    together = fitted.scores(MIXED)
    alone = [fitted.scores(MIXED.take([place]))[0] for place in range(len(MIXED))]
    assert together == pytest.approx(alone, abs=1e-5)
    assert len(fitted.scores(NONE)) == 0


def test_training_leaves_the_settings_of_torch_as_they_were():
    before, threads = torch.random.get_rng_state(), torch.get_num_threads()
    short("esim").fit(SMALL, SMALL_DEV, seed=1)
    assert (torch.random.get_rng_state() == before).all()
    assert torch.get_num_threads() == threads
    assert not torch.are_deterministic_algorithms_enabled()


def test_the_best_weights_on_dev_are_kept_and_the_caller_is_told_of_all_steps():
    told = []
    patient = NetworkModel("esim", model("esim").build, settings=Settings(epochs=2, patience=9))
    labels = 1 - SMALL_DEV.labels
    misleading = Pairs(SMALL_DEV.ids, SMALL_DEV.first, SMALL_DEV.second, labels)
    fitted = patient.fit(
        SMALL, misleading, seed=1, tell=lambda done, most: told.append((done, most))
    )
    one_epoch = short("esim").fit(SMALL, misleading, seed=1)
    assert accuracy(fitted, misleading) >= accuracy(one_epoch, misleading)
    assert told[0] == (1, 8)
    assert told[-1] == (8, 8)


def test_vectors_of_a_file_may_have_another_width(tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text("fox 1 0 0\ncat 0 1 0\nand 0 0 1\n", encoding="utf-8")
    network = model("bilstm", vectors=file)
    fitted = network.fit(SMALL, SMALL_DEV, seed=1)
    assert fitted.parameters == 2 * 4 * 100 * (3 + 100 + 2) + 1
    assert network.identity["vectors"] != model("bilstm").identity["vectors"]


def test_a_set_without_pairs_is_refused():
    with pytest.raises(ValueError, match="train set has no pairs"):
        model("esim").fit(NONE, DEV, seed=1)


@pytest.fixture(scope="module")
def models_folder(tmp_path_factory):
    """A folder of models that holds a BERT of a few thousand random weights."""
    folder = tmp_path_factory.mktemp("models")
    _tiny_bert(folder / "tiny")
    return folder


def _tiny_bert(folder):
    known = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    known += sorted({word for text in TRAIN.first for word in words(text.lower())})
    tokenizer = Tokenizer(models.WordLevel(dict(zip(known, range(99), strict=False)), "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]"}
    special |= {"cls_token": "[CLS]", "sep_token": "[SEP]"}
    fast = hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special)
    fast.save_pretrained(folder)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    sizes |= {"num_attention_heads": 2, "max_position_embeddings": 64}
    torch.manual_seed(0)
    hf.BertModel(hf.BertConfig(vocab_size=len(known), **sizes)).save_pretrained(folder)


def test_an_encoder_is_fitted_the_same_again_and_its_folder_stays_as_it_is(models_folder):
    before = contents(models_folder)
    encoder = model("encoder:tiny", folder=models_folder)
    first, again = (encoder.fit(SMALL, SMALL_DEV, seed=1).scores(MIXED) for _ in range(2))
    assert (first == again).all()
    assert len(set(first)) == len(MIXED)
    assert contents(models_folder) == before


def test_shuffled_labels_teach_an_encoder_nothing(models_folder):
    settings = Settings(epochs=2, batch=32, rate=2e-3, warm_up=0.1)
    encoder = EncoderModel("encoder:tiny", models_folder / "tiny", settings)
    fitted = encoder.fit(shuffled(SMALL), shuffled(SMALL_DEV), seed=1)
    assert accuracy(fitted, order_set(2000, seed=4)) == pytest.approx(0.5, abs=0.03)


def test_noisy_labels_prepare_an_encoder(models_folder):
    settings = Settings(epochs=1, batch=32, rate=2e-3, warm_up=0.1)
    encoder = EncoderModel("encoder:tiny", models_folder / "tiny", settings)
    alone = encoder.fit(SMALL, SMALL_DEV, seed=1).scores(MIXED)
    one, again = (
        encoder.fit_in_turn([TRAIN, SMALL], SMALL_DEV, seed=1).scores(MIXED) for _ in range(2)
    )
    assert (one == again).all()
    assert (one != alone).any()


def test_an_encoder_learns(models_folder):
    """Which verbs a text has: the encoder knows nothing yet, and its rate is that of a new one."""
    labels = np.array([any(v in text for v in VERBS[:3]) for text in TRAIN.first], dtype=np.int8)
    pairs = Pairs(TRAIN.ids, TRAIN.first, TRAIN.second, labels)
    settings = Settings(epochs=4, batch=32, rate=2e-3, warm_up=0.1)
    encoder = EncoderModel("encoder:tiny", models_folder / "tiny", settings)
    fitted = encoder.fit(pairs.take(range(600)), pairs.take(range(600, 700)), seed=1)
    assert accuracy(fitted, pairs.take(range(700, 900))) >= 0.95


def test_a_folder_without_an_encoder_is_named(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="empty cannot be loaded"):
        model("encoder:empty", folder=tmp_path).fit(SMALL, SMALL_DEV, seed=1)


@pytest.mark.parametrize("name", ["encoder:absent", "encoder:", "encoder:../tiny"])
def test_a_missing_encoder_says_how_to_get_it(name, tmp_path):
    with pytest.raises(NoModel, match=r"manage\.py fetch_models"):
        model(name, folder=tmp_path / "models")
