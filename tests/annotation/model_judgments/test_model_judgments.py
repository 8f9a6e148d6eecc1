"""Labels of models: they are stored once, compared with people's, and never counted."""

import uuid
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.agreement import selectors as agreement
from annotation.errors import Refused
from annotation.model_judgments import selectors
from annotation.model_judgments import services as model_judgments
from annotation.models import Consensus, JudgingModel, Judgment, ModelJudgment
from annotation.pairs.labelled_lines import ModelJudgmentLine
from releases.models import Release
from tests.annotation import judged, make

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project(module_db):
    return make.study()


@pytest.fixture(scope="module")
def pairs(project):
    votes = [[1, 1, 1, 1, 1], [0, 0, 0, 0, 1], [0, 0, 0, 1, 1]]
    return judged.pairs(project, votes, by=judged.people(project, 5))


def add(project, pairs, labels, *, name="model", **more):
    labelled = enumerate(zip(pairs, labels, strict=True), 2)
    lines = [ModelJudgmentLine(number, pair.public_id, label) for number, (pair, label) in labelled]
    return model_judgments.add(project, name=name, lines=lines, **more)


def test_each_label_is_added_once_and_another_for_the_same_pair_is_refused(project, pairs):
    assert add(project, pairs, [1, 0, 1]).added == 3
    again = add(project, pairs, [1, 0, 1])
    assert (again.added, again.duplicates) == (0, 3)
    other = add(project, pairs, [1, 1, 1])
    refused = [(each.line, each.reason) for each in other.first_refusals]
    assert refused == [(3, "said_otherwise_before")]
    stored = ModelJudgment.objects.order_by("pair").values_list("label", flat=True)
    assert (JudgingModel.objects.count(), list(stored)) == (1, [1, 0, 1])
    add(project, pairs, [0, 0, 1], revision="b")
    assert JudgingModel.objects.count() == 2


def test_two_labels_for_one_pair_and_pairs_that_are_not_to_be_judged_are_refused(project, pairs):
    [gold] = make.gold_pairs(project, [1])
    elsewhere = make.study()
    make.pairs(elsewhere, 1)
    report = add(project, [gold, elsewhere.pairs.get(), Mock(public_id=uuid.uuid4())], [1] * 3)
    assert report.refused == {"unknown_pair": 3}
    assert not JudgingModel.objects.exists()
    report = add(project, [pairs[0]] * 3, [1, 1, 0])
    assert (report.added, report.duplicates, report.refused.total()) == (1, 1, 1)


def test_a_model_counts_in_nothing_and_is_removed_with_all_its_labels_before_a_release(
    project, pairs
):
    def counted():
        rows = Consensus.objects.order_by("pair").values_list("tally", "label", "kept")
        return [*rows], agreement.votes(project), Judgment.objects.count()

    before = counted()
    add(project, pairs, [0, 1, 1])
    assert counted() == before
    model_judgments.remove(JudgingModel.objects.get())
    assert not ModelJudgment.objects.exists()
    add(project, pairs[:2], [1, 0])
    frozen = {"state": Release.State.FROZEN, "frozen_at": timezone.now()}
    Release.objects.create(project=project, version="1", seed=1, settings={}, **frozen)
    with pytest.raises(Refused):
        model_judgments.remove(JudgingModel.objects.get())
    with pytest.raises(Refused):
        add(project, pairs, [1, 0, 1])
    assert add(project, pairs[:2], [1, 0]).duplicates == 2


def test_labels_are_compared_with_the_consensus(project, pairs):
    add(project, pairs, [1, 1, 0])
    [visit] = selectors.of_project(project)
    assert visit.every.counts == {(1, 1): 1, (1, 0): 1, (0, 0): 1}
    assert visit.table == [(1, [1, 0]), (0, [1, 1])]
    assert visit.every.accuracy.value == pytest.approx(2 / 3)
    assert visit.every.kappa.value == pytest.approx(0.4)
    by_votes = [(votes, each.agreeing) for votes, each in visit.by_votes.items()]
    assert by_votes == [((5, 0), 1), ((4, 1), 0), ((3, 2), 1)]
    assert visit.by_method["back_translation"].pairs == 3
    graded = make.study(protocol="parade")
    [pair] = judged.pairs(graded, [[3, 3, 2]], by=judged.people(graded, 3))
    add(graded, [pair], [2])
    assert selectors.of_project(graded)[0].every.counts == {(1, 1): 1}


def test_where_a_model_and_people_disagree_the_clearest_pairs_come_first(project, pairs):
    for name, labels, parting in [
        ("other", [0, 1, 1], [(pairs[0].pk, 5, 0), (pairs[1].pk, 3, 1), (pairs[2].pk, 1, 1)]),
        ("agreeing", [1, 0, 0], []),
    ]:
        add(project, pairs, labels, name=name)
        found = selectors.page(selectors.parting(project, JudgingModel.objects.get(name=name))).rows
        assert [(pair.pk, pair.margin, pair.says) for pair in found] == parting


def test_the_command_says_what_became_of_each_line(project, pairs, tmp_path, capsys):
    path = tmp_path / "labels.tsv"
    path.write_text(f"pair\tlabel\n{pairs[0].public_id}\t1\n{pairs[1].public_id}\t7\n")
    call_command(
        "import_model_judgments", str(path), project=project.name, name="model", revision="r1"
    )
    out = capsys.readouterr().out
    assert "2 lines read, 1 label added" in out
    assert "line 3: label not on the scale" in out
    assert JudgingModel.objects.get().revision == "r1"
    with pytest.raises(CommandError):
        call_command(
            "import_model_judgments", str(tmp_path / "x.txt"), project=project.name, name="m"
        )
