"""The parts of the benchmark of generation."""

from importlib import import_module

import pytest

from scripts.benchmarks.generation import parts
from scripts.benchmarks.generation.__main__ import main
from scripts.benchmarks.generation.parts import PARTS, Options


@pytest.mark.parametrize("part", PARTS)
def test_each_part_gives_figures(part: str) -> None:
    assert callable(import_module(f"{parts.__package__}.{part}").figures)


def test_the_demonstration_is_what_is_measured_by_default() -> None:
    assert Options().file.is_file()


def test_a_part_that_there_is_not_is_refused_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["bench", PARTS[0], "nothing"])

    with pytest.raises(SystemExit):
        main()

    assert "no part nothing; there are " in capsys.readouterr().err
