"""The files of a release: what is in them, and when they are made."""

import json
import os
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from releases.dataset import files, table_files, writers
from releases.dataset.files import LineFile
from releases.dataset.folders import pack
from releases.dataset.rows import (
    IF_ANY,
    AdjudicationRow,
    JudgmentRow,
    ModelJudgmentRow,
    ReleasedPair,
    SentenceRow,
    Since,
)
from releases.dataset.tables import tables
from releases.dataset.verification import verify
from tests.releases.dataset.studies import (
    FACTS,
    FACTS_1_0,
    FORMAT_1,
    SETTINGS,
    Study,
    complete_content,
    contents,
    study,
    write,
)

ALWAYS = """
    README.md croissant.json manifest.json paper.tex judgments.jsonl pairs.jsonl sentences.jsonl
    labeled_final/dev.tsv labeled_final/test.tsv labeled_final/train.tsv
    labeled_swap/train.tsv low_agreement.tsv unlabeled_final/dev.tsv unlabeled_final/train.tsv
    parquet/labeled_final/dev.parquet parquet/labeled_final/test.parquet
    parquet/labeled_final/train.parquet parquet/labeled_swap/train.parquet
    parquet/low_agreement/train.parquet parquet/unlabeled_final/dev.parquet
    parquet/unlabeled_final/train.parquet
"""
EXTRAS = ["adjudications.jsonl", "annotators.jsonl", "model_judgments.jsonl", "prompts.jsonl"]
EXPECTED = Path(__file__).parent / "expected"

NUMBER = st.none() | st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.none() | st.text()
VOTES = st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9))
VIA = st.lists(st.text()).map(tuple)
CELLS = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]))


def pair_of(text):
    some = Study(study().random)
    source = some.source(text=text)
    some.judged(source, some.rewrite(source, "word_swap"), 0, "word_swap")
    return some


@settings(max_examples=12)
@given(st.integers(0, 2**32), st.integers(0, 30))
def test_any_study_becomes_a_release_that_verifies_and_repeats_byte_by_byte(
    tmp_path_factory, seed, families
):
    parent = tmp_path_factory.mktemp("releases")
    for name in ("one", "two"):
        write(parent / name, study(seed, families))
    assert contents(parent / "one") == contents(parent / "two")
    assert set(contents(parent / "one")) == {*ALWAYS.split()}
    assert verify(parent / "one") == []


def descriptions(folder):
    """The card, the manifest, and the first tables of croissant.json. Parquet is left out: its
    bytes depend on the version of pyarrow."""
    names = ("manifest.json", "croissant.json")
    manifest, croissant = (json.loads((folder / name).read_text()) for name in names)
    for path in [path for path in manifest["files"] if ".parquet" in path or path in names]:
        del manifest["files"][path]
    croissant.pop("distribution", None)
    del croissant["recordSet"][3:]
    return (folder / "README.md").read_text(), manifest, croissant


def test_a_fixed_study_is_described_in_these_words_and_has_these_digests(tmp_path):
    folder = tmp_path / "1.0.0"
    settings = replace(SETTINGS, has_old_names=True)
    about = {"facts": FACTS_1_0, "settings": settings, "release_format": FORMAT_1}
    writers.write_release(folder, complete_content(version=1), **about)
    assert descriptions(folder) == descriptions(EXPECTED)


def test_a_release_that_follows_croissant_1_0_is_written_like_that_again(tmp_path):
    writers.write_release(
        tmp_path / "1.0.0", complete_content(), facts=FACTS_1_0, settings=SETTINGS
    )
    expected = json.loads((EXPECTED / "croissant_1_0.json").read_text())
    assert descriptions(tmp_path / "1.0.0")[2] == expected
    assert verify(tmp_path / "1.0.0") == []


def test_the_manifest_describes_every_other_file_those_of_some_studies_too(release):
    assert set(contents(release)) == {*ALWAYS.split(), *EXTRAS}
    manifest, found = json.loads((release / "manifest.json").read_text()), contents(release)
    assert {*manifest["files"], "manifest.json"} == set(found)
    for path, described in manifest["files"].items():
        ends = found[path].count(b"\n")
        number = {".tsv": ends - 1, ".jsonl": ends}.get(Path(path).suffix, described["rows"])
        assert (described["bytes"], described["rows"]) == (len(found[path]), number), path
    assert manifest["files"]["README.md"]["rows"] is None


def test_the_manifest_repeats_settings_facts_and_counts(tmp_path):
    some = study(families=10)
    some.judgments[0] = some.judgments[0]._replace(simulated=True)
    manifest = write(tmp_path / "release", some)
    assert manifest == json.loads((tmp_path / "release" / "manifest.json").read_text())
    assert manifest | {"files": {}, "counts": {}} == {
        "format": "pawsmith-release/2", "name": "Trial pairs", "version": "1.0.0",
        "created": "2026-11-21T08:00:00+00:00", "language": "en", "licence": "cc-by-sa-4.0",
        "seed": 7, "settings": SETTINGS.to_dict(), "software_version": "0.1.0",
        "models": [{"name": "trigram", "sha256": "ab" * 32}], "simulated": True, "files": {},
        "counts": {}, "runs": [*FACTS.runs],
    }  # fmt: skip
    assert "simulated annotators" in (tmp_path / "release" / "README.md").read_text()
    rows = (tmp_path / "release" / "sentences.jsonl").read_text().splitlines()
    assert [json.loads(row)["id"] for row in rows] == [row.id for row in some.sentences]


def test_any_text_without_tab_and_line_break_comes_back_as_it_was(tmp_path):
    spaces = "\u00a0\u2028\u0085 \ufeff"
    texts = ('He said "no.', "'quoted'", spaces, "東京 \U0001f600", "a\\tb", "NA")
    for number, text in enumerate(texts):
        folder = tmp_path / str(number)
        write(folder, pair_of(text))
        table = (folder / "labeled_final/train.tsv").read_bytes().decode()
        assert text in table.split("\n")[1].split("\t")
        assert verify(folder) == [], text


def test_a_build_that_fails_leaves_nothing_and_one_that_is_complete_is_never_written_over(tmp_path):
    for text in ("a\tb", "a\nb", "a\rb"):
        with pytest.raises(ValueError, match="a tab or a line break"):
            write(tmp_path / "release", pair_of(text))
    some = study(families=5)

    def breaking_off():
        yield some.judgments[0]
        raise ConnectionError

    with pytest.raises(ConnectionError):
        write(tmp_path / "release", replace(some, judgments=breaking_off()))
    assert list(tmp_path.iterdir()) == []
    # A release is never written over, but a half-written one is.
    (tmp_path / ".release.partial" / "parquet").mkdir(parents=True)
    write(tmp_path / "release", study(families=2))
    before = contents(tmp_path)
    with pytest.raises(FileExistsError, match="never changed in place"):
        write(tmp_path / "release", study(families=3))
    assert contents(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_rows_of_tables_come_in_groups_and_none_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(table_files, "ROWS_IN_GROUP", 2)
    some = [(f"p{n}", f"one {n}", f"two {n}", n % 2) for n in range(5)]
    [first, *_] = tables(version=1)
    with table_files.open_table(tmp_path, first) as table:
        for row in some:
            table.add(row)
    with pq.ParquetFile(tmp_path / first.parquet) as parquet:
        groups = [parquet.metadata.row_group(n).num_rows for n in range(parquet.num_row_groups)]
        assert groups == [2, 2, 1]
        assert list(zip(*parquet.read().to_pydict().values(), strict=True)) == some
    assert table.rows == len((tmp_path / first.tsv).read_text().splitlines()) - 1 == 5


def test_the_same_folder_gives_the_same_archive_which_tells_nothing_of_the_machine(tmp_path):
    folder = tmp_path / "pairs-1.0.0"
    (folder / "labeled_final").mkdir(parents=True)
    (folder / "README.md").write_text("# Pairs\n")
    (folder / "labeled_final" / "dev.tsv").write_text("id\n")
    pack(folder, tmp_path / "one.tar.gz", name="study-1.0", created=FACTS.created)
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)
    pack(folder, tmp_path / "two.tar.gz", name="study-1.0", created=FACTS.created)
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "two.tar.gz").read_bytes()
    with tarfile.open(tmp_path / "one.tar.gz") as archive:
        entries = archive.getmembers()
    assert [(entry.name, entry.mode) for entry in entries] == [
        ("study-1.0", 0o755), ("study-1.0/README.md", 0o644),
        ("study-1.0/labeled_final", 0o755), ("study-1.0/labeled_final/dev.tsv", 0o644),
    ]  # fmt: skip
    assert {(entry.uid, entry.uname, entry.mtime) for entry in entries} == {(0, "", 1795248000)}


# Only rows that have a value mention these.
UNSAID_IF_NONE = (
    *("group", "entity", "grade", "tally", "mean", "model_label", "model_share"),
    *("first", "closed", "own_id", "later", "reason", "words"),
)
NOT_IN_PAIRS = ("text1", "text2", "entity", "generator")


@given(
    st.builds(JudgmentRow, seconds=NUMBER),
    st.builds(
        ReleasedPair,
        via=VIA,
        votes=VOTES,
        subset=TEXT,
        split=TEXT,
        origin=st.text(),
        text1=st.just(""),
        text2=st.just(""),
        grade=st.none() | st.integers(0, 9),
        tally=st.none() | st.lists(st.integers(0, 9), min_size=4, max_size=4).map(tuple),
        mean=NUMBER,
        entity=st.none(),
        generator=st.none(),
    ),
    st.builds(
        SentenceRow,
        group=st.none() | st.text(min_size=1),
        entity=st.none() | st.text(min_size=1),
        correction=TEXT,
        composes=st.just(True),
        paraphrase=st.none(),  # stays in the database
    ),
    st.builds(AdjudicationRow),
    st.builds(ModelJudgmentRow, score=NUMBER),
)
def test_every_line_is_what_json_gives_and_is_read_as_it_was(
    judgment, pair, sentence, adjudication, model_judgment
):
    for file, row, but in (
        (files.JUDGMENTS, judgment, ()),
        (files.PAIRS, pair, NOT_IN_PAIRS),
        (files.SENTENCES, sentence, ("composes", "paraphrase")),
        (files.ADJUDICATIONS, adjudication, ()),
        (files.MODEL_JUDGMENTS, model_judgment, ()),
    ):
        unsaid = (*but, *(name for name in UNSAID_IF_NONE if getattr(row, name, None) is None))
        cells = {name: cell for name, cell in row._asdict().items() if name not in unsaid}
        line = json.dumps(cells, ensure_ascii=False)
        assert file.lines([row]) == f"{line}\n"
        assert file.parse(line) == row


@given(st.lists(st.tuples(CELLS, CELLS, st.integers(0, 9)), min_size=1))
def test_rows_of_tsv_are_joined_by_tabs_and_a_cell_that_tsv_cannot_hold_is_refused(rows):
    lines = ("\t".join(map(str, row)) + "\n" for row in rows)
    assert files.tsv_lines(rows) == "".join(lines)
    for text in ("a\tb", "a\nb", "a\rb"):
        for place in range(3):
            rows = [("id", "a", "b", 1)] * 3
            rows[place] = ("id", text, "b", 1)
            with pytest.raises(ValueError, match="a tab or a line break"):
                files.tsv_lines(rows)


class Line(NamedTuple):
    """A record whose second version has two more columns."""

    id: Annotated[str, "Id"]
    group: Annotated[str | None, IF_ANY] = None
    corpus: Annotated[str | None, Since(2, "Name of its corpus")] = None
    entity: Annotated[str | None, Since(2, IF_ANY)] = None


@pytest.mark.parametrize(
    ("version", "lines"),
    [
        (1, '{"id": "a", "group": "g"}\n{"id": "b"}\n'),
        (
            2,
            '{"id": "a", "corpus": "news", "group": "g", "entity": "tree"}\n'
            '{"id": "b", "corpus": null}\n',
        ),
    ],
)
def test_lines_have_the_columns_of_their_version(version, lines):
    file = LineFile("lines.jsonl", Line, "", "").at_version(version)
    assert file.lines([Line("a", "g", "news", "tree"), Line("b")]) == lines
    assert file.lines([file.parse(line) for line in lines.splitlines()]) == lines


def test_a_line_of_a_later_version_is_refused():
    file = LineFile("lines.jsonl", Line, "", "").at_version(1)
    with pytest.raises(ValueError, match="no field is called corpus"):
        file.parse('{"id": "a", "corpus": "news"}')
