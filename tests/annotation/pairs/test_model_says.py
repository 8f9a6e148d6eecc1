"""Pairs by what a model says: the filter of lists and of REST, and what managers do with them."""

import uuid

import pytest
from django.urls import reverse

from annotation.agreement import services as agreement
from annotation.model_judgments import services as model_judgments
from annotation.models import JudgingModel, Reopening
from annotation.pairs.labelled_lines import ModelJudgmentLine
from annotation.pairs.selectors import pairs as table
from annotation.pairs.selectors.model_says import AGREES, DISAGREES, UNSURE, ModelSays, options_of
from annotation.pairs.selectors.pairs import PairFilters
from annotation.stats.labels import Label, Level, Rule, Scheme
from releases.dataset.verification import verify
from releases.selectors import report_tables
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, release_folder, signed_in
from tests.annotation.rest import client_of as rest_client
from tests.annotation.rest import rows

pytestmark = pytest.mark.django_db
TOPICS = Scheme(
    (Label(0, "people"), Label(1, "places"), Label(2, "times")), Level.NOMINAL, Rule.NONE
)


def labelled(project, votes, labels, scores=(), *, name="model"):
    """Pairs with the answers of people, which a model has labelled; a label None: it has not."""
    by = judged.people(project, max(map(len, votes)))
    pairs = judged.pairs(project, votes, by=by)
    add_labels(project, pairs, labels, scores, name=name)
    return pairs


def add_labels(project, pairs, labels, scores=(), *, name="model"):
    scores = scores or [None] * len(pairs)
    lines = [
        ModelJudgmentLine(number, pair.public_id, label, score)
        for number, (pair, label, score) in enumerate(zip(pairs, labels, scores, strict=True), 1)
        if label is not None
    ]
    model_judgments.add(project, name=name, lines=lines)


def says_of(project, says):
    return ModelSays(JudgingModel.objects.get(project=project).public_id, says)


def places(project, pairs, says):
    """Which of the pairs the filter finds, by their place."""
    filters = PairFilters(says=says_of(project, says))
    matching = {*table.matching_pairs(project, filters)}
    assert table.numbers_of(project, [filters]) == [len(matching)]
    return [place for place, pair in enumerate(pairs) if pair in matching]


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("study", "votes", "labels", "agrees", "disagrees"),
    [
        pytest.param(
            {"protocol": "parade"},  # four grades, of which the two upper ones are one side
            [[3, 3, 3], [0, 1, 1], [2], [2, 0], [], [3, 3, 3]],
            [2, 2, 0, 3, 1, None],
            [0],
            [1, 2],
            id="another side than the majority so far",
        ),
        pytest.param(
            {"protocol": "nli"},
            [[2, 2, 2, 2, 0], [0, 0, 1, 1, 2], [1, 1, 2], [1, 0]],
            [2, 0, 0, 1],
            [0],
            [2],
            id="another label than the majority so far",
        ),
        pytest.param(
            {"protocol": "sts"},
            [[2, 3, 3, 4, 5], [2, 3, 3, 4, 5], [0], []],
            [4, 5, 1, 1],
            [0, 2],
            [1],
            id="more than one step from the mean so far",
        ),
        pytest.param(
            {"scheme": TOPICS, "consensus_min_votes": 1},
            [[0, 0, 1, 1, 0], [0, 0, 1, 1, 0], [2], []],
            [1, 2, 0, 0],
            [0],
            [1, 2],
            id="a label that nobody gave",
        ),
    ],
)
def test_pairs_are_found_by_what_a_model_says_beside_people(
    study, votes, labels, agrees, disagrees
):
    project = make.study(**study)
    pairs = labelled(project, votes, labels)
    assert places(project, pairs, AGREES) == agrees
    assert places(project, pairs, DISAGREES) == disagrees


def test_a_model_is_unsure_with_a_score_from_04_to_06(project):
    pairs = labelled(project, [[1]] * 5, [1] * 5, [0.39, 0.4, 0.5, 0.6, None])
    assert places(project, pairs, UNSURE) == [1, 2, 3]


def test_the_list_offers_what_its_models_say(project):
    manager = client_of(project)
    assert "says" not in manager.get(page("pairs", project)).context["form"].fields
    pairs = labelled(project, [[1, 1, 1], [0, 0]], [0, 0], [0.1, 0.45], name="judge")
    options = manager.get(page("pairs", project)).context["form"].fields["says"].choices
    assert [text for _value, text in options] == [
        "any",
        "judge: agrees with the majority so far",
        "judge: disagrees with the majority so far",
        "judge: unsure (score 0.4 to 0.6)",
    ]
    reply = manager.get(page("pairs", project), {"says": str(says_of(project, DISAGREES))})
    [row] = reply.context["rows"]
    assert (row.item, row.facts[-2:]) == (pairs[0], ["Model: Different meaning", "Score 0.10"])
    numbers = manager.get(page("pairs", project), {"facet": "says"}).context["pick"].options
    assert [option.number for option in numbers] == [2, 1, 1, 1]


@pytest.mark.parametrize("query", ["odd", "0d0c5c5e-51b5-4b36-b9b3-0e7c5d2a6f10:agrees"])
def test_the_list_refuses_a_model_that_the_project_lacks(project, query):
    assert client_of(project).get(page("pairs", project), {"says": query}).status_code == 400


def test_scores_without_sides_are_not_offered():
    project = make.study(protocol="nli")
    labelled(project, [[2, 2]], [2], [0.5])
    assert [text for text in options_of(project).values() if "unsure" in text] == []


def test_rest_lists_pairs_by_what_a_model_says(project):
    pairs = labelled(project, [[1, 1], [0, 0], [1]], [0, 0, None])
    model = str(JudgingModel.objects.get().public_id)
    address = reverse("api_pairs", args=[project.public_id])
    client = rest_client(make.person(project, role="researcher").user)

    def ids(**query):
        return [row["id"] for row in rows(client, address, **query)]

    assert ids(judging_model=model) == [str(pair.public_id) for pair in pairs[:2]]
    assert ids(judging_model=model, model_says="disagrees") == [str(pairs[0].public_id)]
    for query, said in [
        ({"model_says": "agrees"}, "Name the model"),
        ({"model_says": "unsure", "judging_model": model}, "gave no scores"),
        ({"judging_model": str(uuid.uuid4())}, "no such model"),
    ]:
        reply = client.get(address, query)
        assert (reply.status_code, said in reply.content.decode()) == (400, True)


@pytest.fixture
def disputed(project):
    """A kept pair and one that is not, on which the model disagrees; one undecided, one agreed."""
    make.spare(project)
    return labelled(project, [[1] * 5, [1, 1, 1, 0, 0], [1, 1], [0] * 5], [0, 0, 0, 0])


def test_all_pairs_on_which_a_model_disagrees_are_judged_again(project, disputed):
    manager = client_of(project)
    listed = page("pairs", project) + f"?says={says_of(project, DISAGREES)}"
    sent = {"act": "again", "all": "on", "list": listed}
    asked = manager.post(page("change_pairs", project), sent, follow=True)
    assert "2 decided pairs on which model disagrees with people" in asked.text
    assert "1 of them is kept now" in asked.text
    reopen, _status = asked.redirect_chain[-1]
    assert manager.post(reopen, {"number": 3}).status_code == 409
    manager.post(reopen, {"number": 2})
    reopenings = Reopening.objects.order_by("pair")
    assert [reopening.pair for reopening in reopenings] == disputed[:2]
    assert {reopening.because.name for reopening in reopenings} == {"model"}


def test_pairs_judged_again_for_a_model_are_told_of(project, disputed):
    manager = make.person(project, role="manager").user
    because = JudgingModel.objects.get()
    ids = [disputed[0].public_id]
    agreement.reopen(project, ids, by=manager, kept=True, because=because)
    client = signed_in(manager)
    shown = client.get(page("models", project)).text
    assert "1 pair was judged again because model disagreed, so these figures favour it" in shown
    assert "because model disagreed" in client.get(page("pair", project, ids[0])).text
    assert dict(report_tables.tables(report_tables.figures_of(project)))["Judged again"] == [
        ("", "Pairs"),
        ("because model disagreed", "1"),
    ]
    [earlier] = rest_client(manager).get(f"/api/pairs/{ids[0]}/").json()["earlier_rounds"]
    assert earlier["because"] == str(because.public_id)


def test_the_card_counts_pairs_judged_again_for_a_model(project, disputed, tmp_path):
    manager = make.person(project, role="manager").user
    ids = [disputed[0].public_id]
    agreement.reopen(project, ids, by=manager, kept=True, because=JudgingModel.objects.get())
    for _ in range(5):
        make.judge_all(make.person(project), 1)
    with release_folder(tmp_path):
        release = freeze_version(project, version="1.0", dev=0, test=0)
        publication.publish(release)
        folder = folder_of(release)
        assert verify(folder) == []
        card = " ".join((folder / "README.md").read_text().split())
    assert "Others judged 1 pair again because the model `model` disagreed" in card
    assert "1 pair was judged again because it disagreed, so the test would favour it." in card
    assert "on which too few had agreed" not in card
