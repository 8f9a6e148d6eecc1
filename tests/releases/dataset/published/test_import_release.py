"""The command that makes a release of published files."""

import io

import pytest
from django.core.management import CommandError, call_command

from releases.dataset.verification import verify
from tests.releases.dataset.published.sets import PAIRS, PAWS, SETS, SICK, lines, numbered

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


GRADED = [
    (grade, int(grade > 1), "ferry", text1, text2)
    for (text1, text2, _), grade in zip(PAIRS, (3, 1, 2, 0, 3), strict=True)
]


def test_grades_beside_labels_are_understood_without_a_header(tmp_path):
    (tmp_path / "train.tsv").write_bytes(lines(GRADED))
    said = io.StringIO()
    call_command("import_release", str(tmp_path / "train.tsv"), *STATED, "--plan", stdout=said)
    assert said.getvalue().splitlines()[1:5] == [
        "Columns: sentence1 = 4, sentence2 = 5, label = 2, grade = 1",
        "Not used: column 3. Say --columns ROLE=3 if one is votes, votes0, votes1, id, split, "
        "entity, domain, method or language.",
        "Labels: column 2, read as sides",
        "A paraphrase is from 2 on.",
    ]


def test_whole_numbers_that_labels_do_not_follow_from_are_no_grades(tmp_path):
    rows = [(grade, 1 - label, *others) for grade, label, *others in GRADED[:-1]]
    (tmp_path / "train.tsv").write_bytes(lines([*rows, GRADED[-1]]))
    said = io.StringIO()
    call_command("import_release", str(tmp_path / "train.tsv"), *STATED, "--plan", stdout=said)
    assert "\nNot used: column 1, column 3. " in said.getvalue()


def test_columns_without_a_role_are_named_where_no_column_has_labels(tmp_path):
    rows = [(text1, text2, "?" if label else "no") for text1, text2, label in PAIRS]
    (tmp_path / "train.tsv").write_bytes(lines(rows, ("sentence1", "sentence2", "Same?")))
    with pytest.raises(CommandError) as refusal:
        call_command("import_release", str(tmp_path / "train.tsv"), *STATED, "--plan")
    assert str(refusal.value) == (
        "train.tsv: no column has labels that are understood. Columns without a role: Same?. Say "
        "which column has them: --columns label=NAME."
    )


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ("--name= ", "--name is empty"),
        ("--licence=", "--licence is empty"),
        ("--citation= ", "--citation is empty"),
        ("--language=xx-yy-zzzz", "--language xx-yy-zzzz is no language"),
        ("--version=../../etc", r"--version \.\./\.\./etc: use letters, digits"),
        ("--address=elsewhere", "elsewhere is no web address"),
        ("--citation=missing.bib", "--citation missing.bib cannot be read"),
    ],
)
def test_statements_that_the_page_refuses_are_refused_before_reading(tmp_path, stated, message):
    with pytest.raises(CommandError, match=message):
        call_command("import_release", str(tmp_path / "nothing.tsv"), *STATED, stated, "--plan")


def test_a_verified_set_says_how_many_rows_equal_the_published_files(imported, tmp_path):
    release = str(tmp_path / "release")
    imported("--out", release, "--paraphrase-from=4")
    said = io.StringIO()
    call_command("verify_release", release, source=tmp_path / "SICK.txt", stdout=said)
    assert said.getvalue() == f"{release} is intact.\n5 rows equal the published files.\n"


def test_a_source_that_does_not_exist_is_named(imported, tmp_path):
    imported("--out", str(tmp_path / "release"), "--paraphrase-from=4")
    with pytest.raises(CommandError, match=r"/gone does not exist. Correct --source"):
        call_command("verify_release", str(tmp_path / "release"), source=tmp_path / "gone")
