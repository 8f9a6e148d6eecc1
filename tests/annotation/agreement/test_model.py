"""The model of annotators: fitted on the page and by command, beside a consensus that stays."""

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.agreement import services
from annotation.errors import Refused
from annotation.models import Consensus
from tests.annotation import judged, make, rest
from tests.annotation.pages import client_of, page, rows_of

pytestmark = pytest.mark.django_db
# Four pairs by five people; the last two answer at random where the others are clear.
CLEAR = [[1, 1, 1, 0, 1], [0, 0, 0, 1, 1], [1, 1, 1, 0, 0], [0, 0, 0, 0, 1]] * 6
DISPUTED = [1, 1, 0, 0, 0]
VERDICT = ("pair", "tally", "label", "kept")


@pytest.fixture
def project():
    """24 clear pairs, and one whose majority holds the two careless people."""
    project = make.study()
    judged.pairs(project, [*CLEAR, DISPUTED], by=judged.people(project, 5))
    return project


def verdicts(project):
    stored = Consensus.objects.filter(pair__project=project).order_by("pair")
    return list(stored.values_list(*VERDICT))


def by_model(project):
    stored = Consensus.objects.filter(pair__project=project).order_by("pair")
    return list(stored.values_list("model_label", flat=True))


@pytest.mark.both_engines
def test_a_fit_stores_its_labels_and_changes_no_consensus(project):
    before = verdicts(project)
    assert services.fit_model(project, by=None) == len(CLEAR) + 1
    assert verdicts(project) == before
    assert by_model(project) == [labels[0] for labels in CLEAR] + [1]
    shares = Consensus.objects.values_list("model_share", flat=True)
    assert all(0.5 <= share <= 1 for share in shares)


@pytest.mark.both_engines
def test_the_list_of_pairs_shows_where_the_model_differs(project):
    services.fit_model(project, by=None)
    reply = client_of(project, "researcher").get(page("pairs", project), {"model": "differs"})
    [row] = reply.context["rows"]
    assert row.item == project.pairs.latest("pk")
    assert any("Annotator model: Same meaning" in fact for fact in row.facts)


def test_files_and_rest_have_the_label_of_the_model(project):
    address = reverse("table", args=[project.public_id, "pairs"])
    before = rows_of(client_of(project).get(address))
    assert "model_label" not in before[0]
    services.fit_model(project, by=None)
    disputed = project.pairs.select_related("consensus").latest("pk")
    by_id = {row["id"]: row for row in rows_of(client_of(project).get(address))}
    in_file = by_id[str(disputed.public_id)]
    assert (in_file["label"], in_file["model_label"]) == ("0", "1")
    assert float(in_file["model_share"]) == disputed.consensus.model_share
    researcher = rest.client_of(make.person(project, role="researcher").user)
    in_rest = researcher.get(f"/api/pairs/{disputed.public_id}/").json()
    assert (in_rest["label"], in_rest["model_label"]) == (0, 1)
    assert in_rest["model_share"] == disputed.consensus.model_share


def test_the_filter_is_offered_once_the_model_is_fitted(project):
    manager, address = client_of(project, "manager"), page("pairs", project)
    assert "model" not in manager.get(address).context["form"].fields
    services.fit_model(project, by=None)
    assert "model" in manager.get(address).context["form"].fields


def test_the_page_fits_the_model_and_links_what_differs(project):
    manager = client_of(project, "manager")
    assert "has not been fitted" in manager.get(page("agreement", project)).text
    reply = manager.post(page("fit_model", project), follow=True)
    assert "The model is fitted to 25 pairs." in reply.text
    assert '?model=differs">1</a>' in reply.text


def test_the_page_says_that_a_fit_on_few_answers_is_too_sure(project):
    services.fit_model(project, by=None)
    warning = "few answers: 25 per person on average, to 25 pairs."
    assert warning in client_of(project).get(page("agreement", project)).text
    judged.pairs(project, CLEAR * 4, by=judged.people(project, 5))
    services.fit_model(project, by=None)
    assert "few answers" not in client_of(project).get(page("agreement", project)).text


def test_pairs_that_were_decided_after_the_fit_are_counted(project):
    services.fit_model(project, by=None)
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    text = client_of(project).get(page("agreement", project)).text
    assert "1 pair was decided later." in text


def test_the_command_prints_the_numbers_of_its_lists(project, capsys):
    call_command("fit_skill", project.name)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Fitted to 25 pairs."
    assert lines[1].split(maxsplit=1) == ["1", "differs from the majority"]


def test_the_command_says_that_no_pair_is_decided():
    with pytest.raises(CommandError, match="No pair is decided yet"):
        call_command("fit_skill", make.study().name)


@pytest.mark.parametrize("protocol", ["sts", "opinions"])
def test_no_model_is_offered_where_votes_decide_no_label(protocol):
    project = make.study(protocol=protocol)
    people = judged.people(project, project.judgments_per_pair)
    judged.pairs(project, [range(len(people))], by=people)
    manager = client_of(project, "manager")
    assert manager.get(page("agreement", project)).context["model"] is None
    assert "skill" not in manager.get(page("draft_release", project)).context["form"].fields


@pytest.mark.parametrize("protocol", ["sts", "opinions"])
def test_a_model_is_refused_where_votes_decide_no_label(protocol):
    project = make.study(protocol=protocol)
    with pytest.raises(Refused, match="labels that votes decide"):
        services.fit_model(project, by=None)
