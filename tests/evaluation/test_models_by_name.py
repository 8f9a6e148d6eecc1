"""Models by name: what is asked for wrongly, or is not installed, is said with its remedy."""

import subprocess
import sys

import pytest

from evaluation import models_by_name
from evaluation.models_by_name import NAMES, NETWORKS, WITHOUT_TORCH, NoModel, model


@pytest.fixture
def without_torch(monkeypatch):
    monkeypatch.setattr(models_by_name, "find_spec", lambda name: None)


@pytest.mark.parametrize("name", WITHOUT_TORCH)
def test_a_baseline_needs_no_torch(name, without_torch):
    assert model(name).identity["name"] == name


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_says_how_to_install_torch(name, without_torch):
    with pytest.raises(NoModel, match=r"needs torch. .*pip install -r requirements-neural.txt"):
        model(name)


def test_an_encoder_says_how_to_install_its_packages(without_torch, tmp_path):
    with pytest.raises(NoModel, match="needs torch and transformers"):
        model("encoder:tiny", folder=tmp_path)


def test_an_unknown_name_is_refused_with_all_that_there_are():
    with pytest.raises(NoModel, match=r"no model 'bert'.* never, overlap, bow, .* encoder:NAME"):
        model("bert")


def test_missing_vectors_are_named(tmp_path):
    with pytest.raises(NoModel, match="no file of word vectors"):
        model("bow", vectors=tmp_path / "absent.txt")


def test_baselines_never_import_torch():
    code = (
        "import sys; from evaluation.models_by_name import model;"
        "[model(name) for name in ('never', 'overlap', 'bow')];"
        "sys.exit('torch' in sys.modules or 'django.conf' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert len(set(NAMES)) == 9
