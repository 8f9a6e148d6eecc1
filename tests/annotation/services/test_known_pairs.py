"""Hidden pairs out of files."""

import io

import pytest

from annotation import known_lines
from annotation.labelled_lines import LabelFault
from annotation.models import SentencePair
from annotation.selectors import dataset, intake
from annotation.services import known_pairs
from generation.models import Corpus
from generation.records import Fault, Format, Refusal
from tests.annotation import cast
from tests.annotation.services.small_study import study

pytestmark = pytest.mark.django_db
LINE = "Ada met Bo.\tBo met Ada.\t0"


def add(project, *lines, columns="sentence1\tsentence2\tlabel"):
    file = io.BytesIO("\n".join([columns, *lines]).encode())
    read = known_lines.read(file, Format.TSV, max_label=project.max_label)
    return known_pairs.add(project, read)


def hidden(project):
    rows = SentencePair.objects.filter(project=project, known_label__isnull=False).order_by("pk")
    return list(rows.values_list("sentence1__text", "sentence2__text", "known_label"))


def test_each_line_becomes_a_hidden_pair_and_bad_lines_are_reported_and_stop_nothing():
    project = cast.study()
    report = add(
        project,
        "Ada met Bo.\tBo met Ada.",
        "Ada met Bo.\tBo met Ada.\t2",
        "Ada met Bo.\tBo met Ada.\tyes",
        "Same.\tSame.\t1",
        "\tBo met Ada.\t1",
        LINE,
        "It rains.\tRain falls.\t1",
    )
    assert (report.read, report.added, report.duplicates) == (7, 2, 0)
    assert hidden(project) == [("Ada met Bo.", "Bo met Ada.", 0), ("It rains.", "Rain falls.", 1)]
    assert report.first_refusals == [
        Refusal(2, Fault.WRONG_COLUMNS),
        Refusal(3, LabelFault.BAD_LABEL),
        Refusal(4, LabelFault.BAD_LABEL),
        Refusal(5, Fault.IDENTICAL),
        Refusal(6, "empty"),
    ]
    assert report.refused[LabelFault.BAD_LABEL] == 2


def test_a_pair_has_one_answer_also_the_other_way_round_and_in_a_later_file():
    project = cast.study()
    first = add(project, LINE, LINE, "Bo met Ada.\tAda met Bo.\t0")
    again = add(project, LINE)
    assert [(each.added, each.duplicates) for each in (first, again)] == [(1, 2), (0, 1)]
    assert add(project, "Bo met Ada.\tAda met Bo.\t1").refused == {LabelFault.OTHER_LABEL: 1}
    assert hidden(project) == [("Ada met Bo.", "Bo met Ada.", 0)]
    assert add(cast.study(), LINE).added == 1


def test_labels_are_on_the_scale_of_the_project():
    report = add(cast.study(protocol="parade"), LINE[:-1] + "3", "It rains.\tRain falls.\t4")
    assert (report.added, report.refused) == (1, {LabelFault.BAD_LABEL: 1})


def test_a_pair_is_in_the_language_of_its_line_or_of_the_project():
    project = cast.study()
    lines = ("Ada traf Bo.\tBo traf Ada.\t0\tde", f"{LINE}\t", "Oui.\tNon.\t0\t<fr>")
    add(project, *lines, columns="sentence1\tsentence2\tlabel\tlanguage")
    pairs = SentencePair.objects.filter(project=project).order_by("pk")
    assert list(pairs.values_list("sentence2__corpus__language", flat=True)) == ["de", "en"]
    names = Corpus.objects.order_by("pk").values_list("name", flat=True)
    assert [name[:17] for name in names] == ["Hidden pairs (de)", "Hidden pairs (en)"]
    assert not project.runs.exists()
    assert not intake.batches(project).exists()


def test_judges_answer_them_and_nothing_of_them_enters_a_dataset():
    project, people = study(pairs=4, people=5, known_every=2)
    add(project, LINE)
    for member in people:
        assert cast.judge_all(member, 1) == 5
    texts = {sentence.text for sentence in dataset.sentences(project)}
    assert len(list(dataset.decided_pairs(project))) == len(list(dataset.candidates(project))) == 4
    assert not texts & {"Ada met Bo.", "Bo met Ada."}
