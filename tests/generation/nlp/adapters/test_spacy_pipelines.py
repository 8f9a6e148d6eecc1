"""What is known of a spaCy pipeline before it is loaded."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import spacy

from generation.nlp.adapters import spacy_pipelines
from generation.nlp.adapters.spacy_pipelines import PipelineFiles, UnreadablePipeline, files_of
from generation.nlp.adapters.spacy_tagger import EMBEDDED


def pipeline(folder: Path, *components: str) -> Path:
    nlp = spacy.blank("en")
    for component in components:
        nlp.add_pipe(component)
    nlp.meta["name"], nlp.meta["version"] = "tiny", "1.2.3"
    folder.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(folder, exclude=components)
    return folder


@pytest.mark.parametrize(
    ("components", "expected"),
    [
        (["tagger", "ner"], "beam of 16 parses"),
        (["tagger", "beam_ner"], "beam of 16 parses"),
        (["tagger", "spancat"], "own scores"),
        (["tagger", "ner", "spancat"], "beam of 16 parses"),
        (["tagger", "entity_ruler"], "none given"),
        (["tagger"], "none given"),
    ],
)
def test_the_identity_says_where_probabilities_come_from(
    tmp_path: Path, components: list[str], expected: str
) -> None:
    identity = files_of(pipeline(tmp_path, *components)).identity

    assert identity == {"name": "en_tiny", "version": "1.2.3", "entity_probability": expected}


def test_the_embedded_pipeline_has_scores_of_its_own() -> None:
    assert PipelineFiles(EMBEDDED).identity["entity_probability"] == "own scores"


def test_what_is_disabled_does_not_count(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger")
    nlp.add_pipe("ner")
    nlp.disable_pipe("ner")
    nlp.to_disk(tmp_path, exclude=["tagger", "ner"])

    assert files_of(tmp_path).identity["entity_probability"] == "none given"


def test_settings_whose_names_differ_by_their_capitals_are_read(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text('{"lang": "en", "name": "x", "version": "1"}')
    component = '[components.t]\nfactory = "tagger"\nnO = 1\nno = 2\n'
    (tmp_path / "config.cfg").write_text(f'[nlp]\npipeline = ["t"]\n{component}')

    assert files_of(tmp_path).factories == {"tagger"}


def test_reading_the_files_does_not_load_spacy(tmp_path: Path) -> None:
    source = (
        "import sys; from generation.nlp.adapters.spacy_pipelines import files_of; "
        f"files_of({str(EMBEDDED)!r}).identity; print('spacy' in sys.modules)"
    )

    printed = subprocess.run([sys.executable, "-c", source], capture_output=True, check=True)

    assert printed.stdout == b"False\n"


def test_a_pipeline_that_sets_no_tags_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePipeline, match="sets no tags"):
        files_of(pipeline(tmp_path, "ner", "sentencizer")).check()


def test_a_pipeline_with_a_tagger_passes(tmp_path: Path) -> None:
    files_of(pipeline(tmp_path, "tagger", "ner")).check()


def test_packages_that_a_pipeline_needs_are_named(tmp_path: Path) -> None:
    folder = pipeline(tmp_path, "tagger")
    meta = json.loads((folder / "meta.json").read_text())
    needs = ["spacy>=3", "spacy>=99", "no-such-package<1", "not a requirement"]
    (folder / "meta.json").write_text(json.dumps(meta | {"requirements": needs}))

    with pytest.raises(UnreadablePipeline) as refused:
        files_of(folder).check()

    assert str(refused.value).endswith("spacy>=99, no-such-package<1, not a requirement.")


@pytest.mark.parametrize(
    ("meta", "config"),
    [
        (None, None),
        ("[]", ""),
        ('{"lang": "en", "name": "x", "version": "1"}', None),
        ('{"lang": "en", "name": "x", "version": "1"}', "no configuration"),
        ('{"lang": "en", "name": "x", "version": "1"}', "[nlp]\npipeline = [tagger\n"),
        ('{"lang": "en", "name": "x", "version": "1"}', '[nlp]\npipeline = ["tagger"]\n'),
    ],
)
def test_a_folder_that_holds_no_whole_pipeline_is_refused(
    tmp_path: Path, meta: str | None, config: str | None
) -> None:
    for name, text in (("meta.json", meta), ("config.cfg", config)):
        if text is not None:
            (tmp_path / name).write_text(text)

    with pytest.raises(UnreadablePipeline):
        _ = files_of(tmp_path).identity


@pytest.mark.parametrize("name", ["no_such_package", "json", "spacy.lang.en", "", "../en"])
def test_what_is_no_installed_pipeline_is_not_found(name: str) -> None:
    assert not spacy_pipelines.is_installed(name)


def test_an_installed_package_is_found_without_being_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "en_tiny"
    pipeline(package / "en_tiny-1.2.3", "tagger")
    (package / "__init__.py").write_text("raise AssertionError('imported')")
    (package / "meta.json").write_bytes((package / "en_tiny-1.2.3" / "meta.json").read_bytes())
    monkeypatch.syspath_prepend(tmp_path)

    assert files_of("en_tiny").identity["version"] == "1.2.3"
