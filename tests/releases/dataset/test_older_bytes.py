"""Older releases of the second version of the format keep their bytes.

expected/before_schemes.json has the settings of two, and SHA-256 of the files whose bytes do not
depend on the version of pyarrow, as the code before label schemes wrote them;
expected/first_schemes.json as the code with the first schemes, which had two sides.
"""

import json
from dataclasses import replace
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest

from releases.dataset.plan import plan
from releases.dataset.settings import ReleaseSettings
from releases.dataset.verification import verify
from releases.dataset.writers import Content, write_release
from tests.releases.dataset.studies import FACTS, complete_content
from tests.releases.dataset.test_definitions import definitions

EXPECTED = Path(__file__).parent / "expected"


def write_complete(folder, settings):
    write_release(folder, complete_content(), facts=FACTS, settings=settings)


def write_graded(folder, settings):
    sentences, pairs, judgments = definitions()
    made = plan(sentences, pairs, settings=settings)
    content = Content(made.pairs, sentences, judgments, **made.totals)
    figures = made.figures(FACTS.language) | {"shape": {}}  # was measured later
    facts = replace(FACTS, **figures)
    write_release(folder, content, facts=facts, settings=settings)


WRITERS = {"complete": write_complete, "graded": write_graded}


@pytest.fixture(params=product(("before_schemes", "first_schemes"), WRITERS), ids="-".join)
def again(request, tmp_path):
    """An older release, written again from its settings, and what is expected of it."""
    code, name = request.param
    expected, write = json.loads((EXPECTED / f"{code}.json").read_text())[name], WRITERS[name]
    write(tmp_path / "release", ReleaseSettings.from_dict(expected["settings"]))
    return tmp_path / "release", expected


def test_its_files_have_the_same_bytes(again):
    folder, expected = again
    written = {path: sha256((folder / path).read_bytes()).hexdigest() for path in expected["files"]}
    assert written == expected["files"]


def test_its_manifest_has_the_same_settings_with_the_same_counts(again):
    folder, expected = again
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [manifest[key] for key in ("settings", "counts")] == [
        expected[key] for key in ("settings", "counts")
    ]


def test_it_verifies(again):
    folder, _ = again
    assert verify(folder) == []
