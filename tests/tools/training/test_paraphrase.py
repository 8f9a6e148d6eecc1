"""The probability of a paraphrase, as fitted to the readings of the documentation."""

import json

import pytest

from generation.nlp import paraphrase
from tests.tools.training.test_acceptance import READINGS
from tools.training import paraphrase as training


def test_the_shipped_weights_are_those_of_the_readings(tmp_path, capsys, monkeypatch):
    out = tmp_path / "fitted.json"
    monkeypatch.setattr("sys.argv", ["paraphrase", str(READINGS), str(out)])
    training.main()
    fitted, shipped = (json.loads(path.read_text()) for path in (out, paraphrase.EMBEDDED_FILE))
    assert fitted["weights"] == pytest.approx(shipped["weights"], rel=1e-2)
    assert "cross-validated: area under the curve 0.9" in capsys.readouterr().out
