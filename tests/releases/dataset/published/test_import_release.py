"""The command that makes a release of published files."""

import io

import pytest
from django.core.management import CommandError, call_command

from releases.dataset.verification import verify
from tests.releases.dataset.published.sets import PAWS, SETS, SICK, lines, numbered

STATED = ("--name=Trial", "--licence=cc by 4.0", "--language=en", "--citation=Doe (2020).")


@pytest.fixture
def imported(tmp_path):
    """Call it with arguments: imports the file of SICK, and returns what the command says."""

    def import_set(*arguments):
        (tmp_path / "SICK.txt").write_bytes(SICK)
        said = io.StringIO()
        call_command("import_release", str(tmp_path / "SICK.txt"), *STATED, *arguments, stdout=said)
        return said.getvalue()

    return import_set


def test_a_plan_shows_what_was_understood(imported, tmp_path):
    said = imported("--plan", "--paraphrase-from=4")
    assert said.splitlines() == [
        "SICK.txt: no split of its own, 5 rows, cells between tabs, with column names, utf-8",
        "Columns: sentence1 = sentence_A, sentence2 = sentence_B, label = entailment_judgment, "
        "grade = relatedness_score, id = pair_ID, split = SemEval_set",
        "Labels: column relatedness_score, read as scores",
        "A paraphrase is from 4 on.",
        "dev: 1 | The ferry leaves the harbour at noon. | At noon the ferry leaves the harbour. | "
        "ENTAILMENT",
        "dev: 0 | Mara paid the baker before the miller. | Mara paid the miller before the baker. "
        "| CONTRADICTION",
        'dev: 1 | "A small win", he called it twice. | He twice called it "a small win". | '
        "ENTAILMENT",
        "labeled_final, dev: 5 pairs, 3 positive",
        "Findings: none",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["SICK.txt"]


def test_a_plan_names_the_lines_that_are_refused(tmp_path):
    (tmp_path / "train.tsv").write_bytes(lines([*numbered(), (6, "Odd")], PAWS))
    said, path = io.StringIO(), str(tmp_path / "train.tsv")
    call_command("import_release", path, *STATED, "--plan", "--accept-refused", stdout=said)
    assert said.getvalue().endswith("\nRefused for other number of columns: train.tsv 7\n")


def test_a_release_is_written_without_a_database(imported, tmp_path):
    labels = "--labels=ENTAILMENT=1,CONTRADICTION=0"
    said = imported("--out", str(tmp_path / "release"), "--version=2.0", labels)
    assert said == f"{tmp_path / 'release'} has 5 pairs, published elsewhere.\n"
    assert verify(tmp_path / "release", tmp_path / "SICK.txt") == []


def test_what_the_files_do_not_say_is_asked_for(imported, tmp_path):
    for name, content in SETS["STS-B, Parquet, 0 to 5"].files.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(CommandError) as refusal:
        call_command("import_release", str(tmp_path / "validation.parquet"), *STATED, "--plan")
    assert str(refusal.value) == (
        "validation.parquet: labels are numbers from 0 to 5. Say from which on a pair is a "
        "paraphrase: --paraphrase-from 4."
    )
