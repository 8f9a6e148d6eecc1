"""The examples in docstrings are right."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("accounts", "annotation", "common", "evaluation", "generation", "operations", "releases")
FILES = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted(FILES)
    if ">>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_right(name):
    assert doctest.testmod(import_module(name)).failed == 0
