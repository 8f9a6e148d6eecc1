"""Hidden pairs out of files."""

import io

import pytest

from annotation import known_lines
from annotation.labelled_lines import LabelFault
from annotation.models import Judgment, SentencePair
from annotation.selectors import dataset, intake
from annotation.services import known_pairs
from generation.models import Corpus
from generation.records import Fault, Format, Refusal
from tests.annotation import cast

HEADER = "sentence1\tsentence2\tlabel"


def tsv(*lines, header=HEADER):
    return io.BytesIO("\n".join([header, *lines]).encode())


def add(project, *lines, header=HEADER):
    read = known_lines.read(tsv(*lines, header=header), Format.TSV, max_label=project.max_label)
    return known_pairs.add(project, read)


def hidden(project):
    rows = SentencePair.objects.filter(project=project, known_label__isnull=False).order_by("pk")
    return list(rows.values_list("sentence1__text", "sentence2__text", "known_label"))


@pytest.mark.django_db
def test_each_line_becomes_a_hidden_pair():
    project = cast.study()
    report = add(project, "Ada met Bo.\tBo met Ada.\t0", "It rains.\tRain falls.\t1")
    assert (report.read, report.added, report.duplicates) == (2, 2, 0)
    assert hidden(project) == [("Ada met Bo.", "Bo met Ada.", 0), ("It rains.", "Rain falls.", 1)]


@pytest.mark.django_db
def test_they_are_given_to_judges_and_never_decided():
    project = cast.study(known_every=2)
    cast.pairs(project, 4)
    add(project, "Ada met Bo.\tBo met Ada.\t0")
    cast.judge_all(cast.person(project), 1)
    assert Judgment.objects.filter(pair__known_label=0, label=1).count() == 1


@pytest.mark.django_db
def test_no_project_adopts_them():
    project = cast.study()
    add(project, "Ada met Bo.\tBo met Ada.\t0")
    assert not project.runs.exists()
    assert not intake.batches(project).exists()
    assert Corpus.objects.get().name.startswith("Hidden pairs (en)")


@pytest.mark.django_db
def test_bad_lines_are_told_with_their_number_and_stop_nothing():
    project = cast.study()
    report = add(
        project,
        "Ada met Bo.\tBo met Ada.",
        "Ada met Bo.\tBo met Ada.\t2",
        "Ada met Bo.\tBo met Ada.\tyes",
        "Same.\tSame.\t1",
        "\tBo met Ada.\t1",
        "Ada met Bo.\tBo met Ada.\t0",
    )
    assert (report.read, report.added) == (6, 1)
    assert report.first_refusals == [
        Refusal(2, Fault.WRONG_COLUMNS),
        Refusal(3, LabelFault.BAD_LABEL),
        Refusal(4, LabelFault.BAD_LABEL),
        Refusal(5, Fault.IDENTICAL),
        Refusal(6, "empty"),
    ]
    assert report.refused[LabelFault.BAD_LABEL] == 2


@pytest.mark.django_db
def test_a_pair_counts_once_also_the_other_way_round_and_in_a_later_file():
    project = cast.study()
    line = "Ada met Bo.\tBo met Ada.\t0"
    first = add(project, line, line, "Bo met Ada.\tAda met Bo.\t0")
    again = add(project, line)
    assert (first.added, first.duplicates) == (1, 2)
    assert (again.added, again.duplicates) == (0, 1)


@pytest.mark.django_db
def test_a_pair_has_one_answer():
    project = cast.study()
    add(project, "Ada met Bo.\tBo met Ada.\t0")
    report = add(project, "Bo met Ada.\tAda met Bo.\t1")
    assert report.refused == {LabelFault.OTHER_LABEL: 1}
    assert [label for *_, label in hidden(project)] == [0]


@pytest.mark.django_db
def test_two_projects_may_hide_the_same_pair():
    one, other = cast.study(), cast.study()
    for project in (one, other):
        assert add(project, "Ada met Bo.\tBo met Ada.\t0").added == 1


@pytest.mark.django_db
def test_grades_are_on_the_projects_scale():
    project = cast.study(protocol="parade")
    report = add(project, "Ada met Bo.\tBo met Ada.\t3", "It rains.\tRain falls.\t4")
    assert (report.added, report.refused) == (1, {LabelFault.BAD_LABEL: 1})


@pytest.mark.django_db
def test_a_pair_is_in_the_language_that_its_line_names_or_in_the_projects():
    project = cast.study()
    add(
        project,
        "Ada traf Bo.\tBo traf Ada.\t0\tde",
        "Ada met Bo.\tBo met Ada.\t0\t",
        "Ada a vu Bo.\tBo a vu Ada.\t0\t<fr>",
        header=f"{HEADER}\tlanguage",
    )
    pairs = SentencePair.objects.filter(project=project).order_by("pk")
    assert list(pairs.values_list("sentence2__corpus__language", flat=True)) == ["de", "en"]


@pytest.mark.django_db
def test_nothing_of_them_enters_a_dataset():
    project = cast.study(known_every=2)
    cast.pairs(project, 4)
    add(project, "Ada met Bo.\tBo met Ada.\t0")
    for _ in range(5):
        cast.judge_all(cast.person(project), 1)
    assert Judgment.objects.filter(pair__known_label=0, label=1).count() == 5
    texts = {sentence.text for sentence in dataset.sentences(project)}
    assert len(list(dataset.decided_pairs(project))) == len(list(dataset.candidates(project))) == 4
    assert not texts & {"Ada met Bo.", "Bo met Ada."}
