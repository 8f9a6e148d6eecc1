"""manage.py import_known_pairs, review_quality and simulate_annotators --careless."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Intervention, SentencePair
from tests.annotation import cast


def run(command, *arguments):
    output = StringIO()
    call_command(command, *arguments, stdout=output)
    return output.getvalue()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "known.tsv"
    path.write_text("sentence1\tsentence2\tlabel\nA b.\tB a.\t0\nC d.\tD c.\t9\n")
    return path


@pytest.mark.django_db
def test_hidden_pairs_are_imported_and_bad_lines_told(file):
    project = cast.study()
    told = run("import_known_pairs", str(file), "--project", project.name)
    assert "2 lines read, 1 hidden pairs added, 0 known already, 1 lines refused." in told
    assert "line 3: label_not_on_the_scale" in told
    assert "set how often" in told
    assert SentencePair.objects.get(project=project).known_label == 0


@pytest.mark.django_db
def test_a_project_that_shows_hidden_pairs_is_not_told_to(file):
    project = cast.study(known_every=10)
    assert "set how often" not in run("import_known_pairs", str(file), "--project", project.name)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["missing.tsv", "pairs.txt", "headless.tsv"])
def test_a_file_that_cannot_be_read_is_an_error(tmp_path, name):
    if name != "missing.tsv":
        (tmp_path / name).write_text("A b.\tB a.\t0\n")
    with pytest.raises(CommandError):
        run("import_known_pairs", str(tmp_path / name), "--project", cast.study().name)


@pytest.mark.django_db
def test_a_review_by_hand_tells_who_is_flagged_and_why():
    project = cast.study(corrected_methods=["imported"])
    texts = [(f"Source {n}.", f"Rewrite {n}.") for n in range(15)]
    cast.candidates(project, texts)
    crowd = ["--annotators", "5", "--accuracy", "1", "--seed", "1", "--careless", "same:1"]
    run("simulate_annotators", "--project", project.name, *crowd)
    told = run("review_quality", "--project", project.name)
    flagged = Intervention.objects.get(evidence__flag="one_label").membership.user
    assert f"{flagged.username}: " in told
    assert flagged.username.endswith("06")
    assert "0 new flags" in run("review_quality", "--project", project.name)


@pytest.mark.django_db
@pytest.mark.parametrize("careless", ["lazy:1", "same", "same:x"])
def test_an_unknown_kind_of_carelessness_is_refused(careless):
    crowd = ["--annotators", "1", "--accuracy", "1", "--seed", "1", "--careless", careless]
    with pytest.raises(CommandError, match="KIND:N"):
        run("simulate_annotators", "--project", cast.study().name, *crowd)
