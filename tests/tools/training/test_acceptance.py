"""The probability that a candidate is accepted, as fitted to the readings of the documentation."""

import json
from pathlib import Path

import pytest

from generation.nlp import acceptance
from tools.training import acceptance as training

READINGS = Path(__file__).parents[3] / "docs" / "researcher" / "word_swap_readings.tsv"


def test_the_shipped_weights_are_those_of_the_readings(tmp_path, capsys, monkeypatch):
    out = tmp_path / "fitted.json"
    monkeypatch.setattr("sys.argv", ["acceptance", str(READINGS), str(out)])
    training.main()
    fitted, shipped = (json.loads(path.read_text()) for path in (out, acceptance.EMBEDDED_FILE))
    for part in ("weights", "judged"):
        assert fitted[part] == pytest.approx(shipped[part], rel=1e-2)
    assert "cross-validated: area under the curve 0.752" in capsys.readouterr().out
