"""Pipelines out of the archives that spaCy's makers release."""

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from generation.fetching import catalogue, spacy_release
from generation.methods import taggers
from generation.model_record import ModelRecord
from generation.nlp.adapters.digests import file_digest
from tests.generation.nlp.adapters import tiny_pipelines as tiny

NAME, TAG = "en_core_web_sm", "en_core_web_sm-3.8.0"


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """An archive laid out as the released ones are."""
    pipeline = tiny.saved(tiny.with_tagger(), tmp_path / "pipeline")
    path = tmp_path / "releases" / TAG / f"{TAG}-py3-none-any.whl"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{NAME}/__init__.py", "raise SystemExit")
        archive.writestr(f"{NAME}/{TAG}/code.py", "raise SystemExit")
        for file in pipeline.rglob("*"):
            archive.write(file, f"{NAME}/{TAG}/{file.relative_to(pipeline)}")
    return path


@pytest.fixture
def released(
    wheel: Path, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The folder of the models, where that archive is what the catalogue names."""
    settings.DATA_DIR = tmp_path
    models = [replace(m, sha256=file_digest(wheel)) for m in catalogue.MODELS if m.name == NAME]
    monkeypatch.setattr(catalogue, "MODELS", models)
    handler = partial(_Silent, directory=str(wheel.parent.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        monkeypatch.setattr(spacy_release, "RELEASES", f"http://127.0.0.1:{server.server_port}")
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield tmp_path / "models"
        server.shutdown()
        thread.join()


def fetch() -> None:
    call_command("fetch_models", NAME, stdout=StringIO())


def test_the_pipeline_is_unpacked_without_its_code_and_tags(released: Path, wheel: Path) -> None:
    fetch()

    record = ModelRecord.read(released / NAME)
    assert record is not None
    assert (record.revision, record.licence, record.kind) == ("3.8.0", "MIT", "spacy")
    assert record.converted == {wheel.name: file_digest(wheel)}
    assert not list(released.rglob("*.py"))
    assert taggers.identify(NAME)["revision"] == "3.8.0"
    (tagged,) = taggers.load(NAME).tag([tiny.TEXT])
    assert [token.tag for token in tagged.tokens] == tiny.TAGS
    taggers.load.cache_clear()


def test_an_archive_that_is_not_the_published_one_is_refused(released: Path, wheel: Path) -> None:
    wheel.write_bytes(wheel.read_bytes() + b" ")

    with pytest.raises(CommandError, match="is not the file that its makers published"):
        fetch()

    assert list(released.iterdir()) == []


def test_a_release_that_is_gone_is_named(released: Path, wheel: Path) -> None:
    wheel.unlink()

    with pytest.raises(CommandError, match="There is no http"):
        fetch()


def test_without_a_network_it_says_where_it_looked(
    released: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spacy_release, "RELEASES", "http://127.0.0.1:9")

    with pytest.raises(CommandError, match=r"127\.0\.0\.1:9.*did not answer[^$]*still missing"):
        fetch()

    assert list(released.iterdir()) == []


def test_another_version_than_the_known_one_is_refused(released: Path) -> None:
    with pytest.raises(CommandError, match=r"in version 3\.8\.0 alone"):
        call_command("fetch_models", NAME, "--revision", "3.7.0", stdout=StringIO())


def test_each_release_in_the_catalogue_has_a_digest_to_be_held_against() -> None:
    releases = [model for model in catalogue.MODELS if model.version]

    assert len({model.sha256 for model in releases}) == len(releases) == 4
    assert all(len(model.sha256) == 64 for model in releases)
    assert all(bool(model.version) != bool(model.repository) for model in catalogue.MODELS)
