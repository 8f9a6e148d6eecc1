import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.dataset.manifest import Manifest
from annotation.dataset.plan import plan
from annotation.dataset.rows import JudgmentRow, SentenceRow
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.tables import TABLES
from annotation.dataset.verification import verify
from annotation.dataset.writers import write_release
from tests.annotation.dataset.studies import FACTS, Study, study

SETTINGS = ReleaseSettings(seed=7)


def write(folder: Path, some: Study, chosen: ReleaseSettings = SETTINGS) -> Manifest:
    return write_release(
        folder,
        plan(some.sentences, some.pairs, some.candidates, settings=chosen),
        sentences=iter(some.sentences),
        judgments=iter(some.judgments),
        facts=FACTS,
        settings=chosen,
    )


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("releases") / "1.0.0"
    write(path, study(families=200))
    return path


def test_a_release_consists_of_the_files_of_the_format(folder: Path) -> None:
    assert set(contents(folder)) == {
        "README.md",
        "croissant.json",
        "judgments.jsonl",
        "labeled_final/dev.tsv",
        "labeled_final/test.tsv",
        "labeled_final/train.tsv",
        "labeled_swap/train.tsv",
        "low_agreement.tsv",
        "manifest.json",
        "pairs.jsonl",
        "parquet/labeled_final/dev.parquet",
        "parquet/labeled_final/test.parquet",
        "parquet/labeled_final/train.parquet",
        "parquet/labeled_swap/train.parquet",
        "parquet/low_agreement/train.parquet",
        "parquet/unlabeled_final/dev.parquet",
        "parquet/unlabeled_final/train.parquet",
        "sentences.jsonl",
        "unlabeled_final/dev.tsv",
        "unlabeled_final/train.tsv",
    }


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 30))
def test_any_study_becomes_a_release_that_verifies_and_repeats_byte_by_byte(
    tmp_path_factory: pytest.TempPathFactory, seed: int, families: int
) -> None:
    parent = tmp_path_factory.mktemp("releases")
    for name in ("one", "two"):
        write(parent / name, study(seed, families))
    assert contents(parent / "one") == contents(parent / "two")
    assert verify(parent / "one") == []


def test_tables_have_a_header_and_their_columns(folder: Path) -> None:
    headers = {table.tsv: (folder / table.tsv).read_text().split("\n")[0] for table in TABLES}
    assert headers["labeled_final/dev.tsv"] == "id\tsentence1\tsentence2\tlabel"
    assert headers["labeled_swap/train.tsv"] == "id\tsentence1\tsentence2\tlabel"
    assert headers["unlabeled_final/dev.tsv"] == "id\tsentence1\tsentence2\tnoisy_label"
    assert headers["low_agreement.tsv"] == "id\tsentence1\tsentence2\tvotes0\tvotes1"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.tsv)
def test_parquet_holds_the_rows_of_tsv_as_pandas_reads_them(folder: Path, table) -> None:  # type: ignore[no-untyped-def]
    rows = pd.read_csv(folder / table.tsv, sep="\t", quoting=3, keep_default_na=False)
    assert len(rows) > 0
    assert pq.read_table(folder / table.parquet).to_pylist() == rows.to_dict("records")


def test_a_line_of_pairs_has_the_fields_of_the_format_in_order(folder: Path) -> None:
    for text in (folder / "pairs.jsonl").read_text().splitlines():
        assert ", ".join(json.loads(text)) == (
            "id, sentence1, sentence2, origin, via, method, votes, label, kept, subset, split"
        )


def test_a_line_of_sentences_names_its_group_only_where_there_is_one(tmp_path: Path) -> None:
    some = Study(study().random)
    some.source(text="A.")
    some.source(text="B.", group="letters")
    write(tmp_path / "release", some)
    lines = (tmp_path / "release" / "sentences.jsonl").read_text().splitlines()
    fields = ["id", "text", "source", "rewritten_from", "method", "correction"]
    assert [list(json.loads(line)) for line in lines] == [fields, [*fields, "group"]]


def test_a_line_of_judgments_has_the_fields_of_the_format(folder: Path) -> None:
    first = json.loads((folder / "judgments.jsonl").read_text().split("\n")[0])
    assert list(first) == ["pair", "annotator", "label", "seconds", "simulated"]


def test_the_manifest_describes_every_other_file(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    files = contents(folder)
    assert {*manifest["files"], "manifest.json"} == set(files)
    for path, described in manifest["files"].items():
        assert described["bytes"] == len(files[path])
    lines = files["labeled_final/train.tsv"].count(b"\n")
    assert manifest["files"]["labeled_final/train.tsv"]["rows"] == lines - 1
    assert manifest["files"]["README.md"]["rows"] is None


def test_the_manifest_repeats_settings_facts_and_counts(tmp_path: Path) -> None:
    some = study()
    manifest = write(tmp_path / "release", some)
    assert manifest == json.loads((tmp_path / "release" / "manifest.json").read_text())
    assert manifest["format"] == "pawsmith-release/1"
    assert (manifest["name"], manifest["version"]) == ("Trial pairs", "1.0.0")
    assert manifest["created"] == "2026-11-21T08:00:00+00:00"
    assert (manifest["seed"], manifest["software_version"]) == (7, "0.1.0")
    assert manifest["settings"] == SETTINGS.to_dict()
    assert manifest["models"] == [{"name": "trigram", "sha256": "ab" * 32}]
    assert manifest["simulated"] is False
    assert manifest["counts"]["judged"] == len(some.pairs)
    assert manifest["counts"]["judgments"] == len(some.judgments)
    assert manifest["counts"]["corrections"]["reject"] == 3


def test_one_simulated_judgment_marks_the_release(tmp_path: Path) -> None:
    some = study(families=5)
    some.judgments[0] = some.judgments[0]._replace(simulated=True)
    manifest = write(tmp_path / "release", some)
    assert manifest["simulated"] is True
    assert "simulated annotators" in (tmp_path / "release" / "README.md").read_text()


@pytest.mark.parametrize(
    "text",
    [
        'He said "no.',
        "'quoted'",
        "\u00a0\u2028\u0085 \ufeff",
        "Zürich 東京 \U0001f600",
        "a\\tb",
        "NA",
    ],
)
def test_any_text_without_tab_and_line_break_comes_back_as_it_was(
    tmp_path: Path, text: str
) -> None:
    some = Study(study().random)
    source = some.source(text=text)
    some.judged(source, some.rewrite(source, "word_swap"), 0, "word_swap")
    write(tmp_path / "release", some)
    table = (tmp_path / "release/labeled_final/train.tsv").read_bytes().decode()
    assert text in table.split("\n")[1].split("\t")
    assert verify(tmp_path / "release") == []


@pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\rb"])
def test_a_text_that_tsv_cannot_hold_is_refused_and_nothing_remains(
    tmp_path: Path, text: str
) -> None:
    some = Study(study().random)
    source = some.source(text=text)
    some.judged(source, some.rewrite(source, "word_swap"), 0, "word_swap")
    with pytest.raises(ValueError, match="a tab or a line break"):
        write(tmp_path / "release", some)
    assert list(tmp_path.iterdir()) == []


def test_a_release_is_never_written_over(tmp_path: Path) -> None:
    write(tmp_path / "release", study(families=2))
    before = contents(tmp_path)
    with pytest.raises(FileExistsError, match="never changed in place"):
        write(tmp_path / "release", study(families=3))
    assert contents(tmp_path) == before


def test_a_build_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    some = study(families=5)

    def breaking_off() -> Iterator[JudgmentRow]:
        yield some.judgments[0]
        raise ConnectionError

    with pytest.raises(ConnectionError):
        write_release(
            tmp_path / "release",
            plan(some.sentences, some.pairs, settings=SETTINGS),
            sentences=some.sentences,
            judgments=breaking_off(),
            facts=FACTS,
            settings=SETTINGS,
        )
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_build_left_behind_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / ".release.partial" / "parquet").mkdir(parents=True)
    write(tmp_path / "release", study(families=2))
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_sentences_and_judgments_keep_the_order_in_which_they_come(tmp_path: Path) -> None:
    some = study(families=5)
    write(tmp_path / "release", some)
    lines = (tmp_path / "release" / "sentences.jsonl").read_text().splitlines()
    ids = [json.loads(line)["id"] for line in lines]
    assert ids == [row.id for row in some.sentences]
    assert isinstance(some.sentences[0], SentenceRow)
