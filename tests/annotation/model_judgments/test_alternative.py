"""Whether a model can stand in for a person: from the answers of a project to page and REST."""

import pytest

from annotation.agreement import services as agreement
from annotation.errors import Refused
from annotation.model_judgments import alternative
from annotation.model_judgments import services as model_judgments
from annotation.models import JudgingModel, Membership, Role
from annotation.pairs.labelled_lines import ModelJudgmentLine
from annotation.pairs.services import pair_exclusions
from annotation.people.selectors import names
from releases.selectors import report_tables
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, signed_in

pytestmark = pytest.mark.django_db
PAIRS = 36


@pytest.fixture(scope="module")
def project(module_db):
    return make.study(judgments_per_pair=3, consensus_min_votes=2)


@pytest.fixture(scope="module")
def people(project):
    return judged.people(project, 3)


@pytest.fixture(scope="module")
def pairs(project, people):
    """The second person errs at every third pair, the third at one other; the model never."""
    votes = [[i % 2, (i + (i % 3 == 0)) % 2, (i + (i == 1)) % 2] for i in range(PAIRS)]
    pairs = judged.pairs(project, votes, by=people)
    lines = [
        ModelJudgmentLine(1, pair.public_id, i % 2, 0.1 + 0.8 * (i % 2))
        for i, pair in enumerate(pairs)
    ]
    model_judgments.add(project, name="judge", revision="7", lines=lines)
    return pairs


@pytest.fixture
def model(project, pairs):
    return JudgingModel.objects.get(project=project)


def stand_in(model, *, by_name=True):
    return alternative.of_model(model, model.project, names.Naming(model.project, by_name))


def test_people_are_compared_on_the_pairs_that_the_model_labelled(model, people):
    test = stand_in(model).test
    advantages = {person.person: (person.pairs, person.advantage) for person in test.people}
    # It is never behind a person: all agree with the others at most as well.
    assert advantages == {member.user.username: (PAIRS, 1.0) for member in people}
    assert [verdict.winning_rate for verdict in test.verdicts] == [1, 1, 1]


def test_two_accounts_of_one_person_are_one_person(model, project, pairs, people):
    other = make.person(project)
    make.same_person(people[0], other)
    fresh = judged.pairs(project, [[1, 1, 1]], by=[other, *people[1:]])
    lines = [ModelJudgmentLine(1, pair.public_id, 1) for pair in fresh]
    model_judgments.add(project, name=model.name, revision=model.revision, lines=lines)
    numbers = {person.person: person.pairs for person in stand_in(model).test.people}
    assert numbers == {member.user.username: PAIRS + 1 for member in people}


def test_excluded_pairs_do_not_count(model, pairs, people):
    manager = make.person(model.project, role=Membership.Role.MANAGER).user
    pair_exclusions.exclude_all(pairs[:7], by=manager, reason="broken")
    test = stand_in(model).test
    assert test.too_few_pairs == {member.user.username: PAIRS - 7 for member in people}
    assert (test.people, test.verdicts) == ([], ())


def test_scores_are_compared_with_the_majority(model):
    figures = stand_in(model).calibration
    assert (figures.pairs, figures.brier.value) == (PAIRS, pytest.approx(0.1**2))
    assert figures.error.value == pytest.approx(0.1)


def test_the_page_tells_the_verdict_and_names_people_to_managers_only(model, project, people):
    username = people[0].user.username
    shown = client_of(project).get(page("models", project))
    assert "Yes, in place of crowd workers, trained annotators and experts." in shown.text
    assert username in shown.text
    assert "beyond chance (kappa" not in shown.text
    researcher = make.person(project, role=Role.RESEARCHER).user
    shown = signed_in(researcher).get(page("models", project))
    assert names.pseudonym(project, people[0].user_id) in shown.text
    assert username not in shown.text


def test_the_page_says_why_there_is_no_verdict(model, pairs, project):
    manager = make.person(project, role=Membership.Role.MANAGER).user
    pair_exclusions.exclude_all(pairs[:7], by=manager, reason="broken")
    text = signed_in(manager).get(page("models", project)).text
    assert "No verdict yet. The test needs 3 people, each with 30 or more decided pairs" in text


def test_a_model_for_which_pairs_were_judged_again_has_no_figures(model, pairs, project):
    judged.people(project, 3)  # They may judge again.
    manager = make.person(project, role=Membership.Role.MANAGER).user
    ids = [pair.public_id for pair in pairs[:2]]
    assert agreement.reopen(project, ids, by=manager, kept=True, because=model) == 2
    text = signed_in(manager).get(page("models", project)).text
    assert "2 pairs were judged again because this model disagreed, so the test, kappa and" in text
    assert "Yes, in place of" not in text
    assert "Brier score" not in text
    address = f"/api/projects/{project.public_id}/models/{model.public_id}/alternative/"
    reply = client_of(project).get(address).json()
    assert (reply["judged_again"], reply["verdicts"], reply["people"]) == (2, [], [])
    assert (reply["kappa"], reply["calibration"]) == (None, None)
    tables = dict(report_tables.tables(report_tables.figures_of(project)))
    assert tables["Models in place of people"][1] == ("judge 7", *"-" * 8)
    assert tables[report_tables.UNTESTED] == [("", "Pairs"), ("judge 7", "2")]


def test_a_model_stays_that_is_the_reason_why_pairs_were_judged_again(model, pairs, project):
    judged.people(project, 3)
    manager = make.person(project, role=Membership.Role.MANAGER).user
    agreement.reopen(project, [pairs[0].public_id], by=manager, kept=True, because=model)
    with pytest.raises(Refused, match="Pairs were judged again because this model"):
        model_judgments.remove(model, by=manager)
    assert stand_in(model).judged_again == 1


def test_the_page_warns_of_a_constant_model_that_passes():
    study = make.study(judgments_per_pair=3, consensus_min_votes=2)
    votes = [[int(i < 3)] * 3 for i in range(42)]
    pairs = judged.pairs(study, votes, by=judged.people(study, 3))
    lines = [ModelJudgmentLine(1, pair.public_id, 0) for pair in pairs]
    model_judgments.add(study, name="judge", lines=lines)
    text = client_of(study).get(page("models", study)).text
    assert "Only in place of experts: they cost more than others, so a larger loss" in text
    warning = "It hardly agrees with people beyond chance (kappa 0.00)"
    assert warning in text
    figures = report_tables.figures_of(study)
    assert f"judge: {warning}" in report_tables.note(report_tables.IN_PLACE, figures)


def test_a_study_of_means_is_tested_by_distance_and_has_no_calibration():
    study = make.study(protocol="opinions", judgments_per_pair=3)
    people = judged.people(study, 3)
    pairs = judged.pairs(study, [[4, 5, 9]] * 30, by=people)
    lines = [ModelJudgmentLine(1, pair.public_id, 3) for pair in pairs]
    model_judgments.add(study, name="judge", lines=lines)
    figures = stand_in(JudgingModel.objects.get(project=study))
    # 4 is nearer to 5 and 9 than the model's 3 is; 5 to 4 and 9 too, but not 9 to 4 and 5.
    advantages = {person.person: person.advantage for person in figures.test.people}
    assert [advantages[member.user.username] for member in people] == [0, 0, 1]
    assert figures.calibration is None
    shown = client_of(study).get(page("models", study))
    assert "People have decided none of them yet." not in shown.text


def test_rest_has_the_same_figures_under_pseudonyms(model, project, people):
    address = f"/api/projects/{project.public_id}/models/{model.public_id}/alternative/"
    reply = client_of(project).get(address).json()
    [first, *_] = sorted(names.pseudonym(project, member.user_id) for member in people)
    assert reply["people"][0]["annotator"] == first
    assert reply["advantage"] == 1
    assert reply["verdicts"][0] == {
        "epsilon": 0.1, "beaten": 3, "winning_rate": 1.0, "passed": True,
    }  # fmt: skip
    assert reply["calibration"]["brier"]["value"] == pytest.approx(0.01)
    other = make.study()
    foreign = f"/api/projects/{other.public_id}/models/{model.public_id}/alternative/"
    assert client_of(other).get(foreign).status_code == 404
