"""Studies whose pairs get the label that most people gave."""

import re

import pytest
from django.urls import URLPattern, reverse

from annotation import urls
from annotation.agreement import services as agreement
from annotation.errors import Refused
from annotation.model_judgments import services as model_judgments
from annotation.pairs.labelled_lines import ModelJudgmentLine
from annotation.projects.labels import INFERENCE
from annotation.stats.labels import Label, Level, Rule, Scheme
from releases import urls as release_urls
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, rows_of
from tests.annotation.rest import client_of as program_of

pytestmark = pytest.mark.django_db
ENTAILMENT, NEUTRAL, CONTRADICTION = range(3)
TORN = [NEUTRAL, CONTRADICTION, NEUTRAL, CONTRADICTION, NEUTRAL]
FEELINGS = Scheme(
    (Label(-1, "worse"), Label(0, "alike"), Label(1, "better")), Level.ORDINAL, Rule.MOST
)


@pytest.fixture(scope="module")
def project(module_db):
    """Two pairs by votes: 3 neutral and 2 contradiction; 2, 2 and 1."""
    project = make.study(scheme=INFERENCE, consensus_min_votes=3)
    tied = [ENTAILMENT, NEUTRAL, ENTAILMENT, NEUTRAL, CONTRADICTION]
    judged.pairs(project, [TORN, tied], by=judged.people(project, 5))
    return project


def read(project):
    program = program_of(make.person(project, role="researcher").user)
    return program.get(f"/api/projects/{project.public_id}/pairs/").json()["results"]


@pytest.mark.parametrize(("least", "kept"), [(3, True), (4, False)])
def test_three_of_five_votes_keep_a_pair_if_three_are_enough(least, kept):
    project = make.study(scheme=INFERENCE, consensus_min_votes=least)
    [pair] = judged.pairs(project, [TORN], by=judged.people(project, 5))
    assert (pair.consensus.label, pair.consensus.kept) == (NEUTRAL, kept)
    assert pair.consensus.tally == [0, 3, 2]


def test_rest_names_the_label_with_most_votes(project):
    torn, tied = read(project)
    assert (torn["label"], torn["label_name"], torn["votes"]) == (1, "neutral", [0, 3, 2])
    assert (tied["label"], tied["label_name"], tied["kept"]) == (None, None, False)


@pytest.fixture
def feelings(db):
    """A pair whose label is worth -1, at place 0, with an expert's decision on another."""
    project = make.study(scheme=FEELINGS, judgments_per_pair=3, consensus_min_votes=2)
    _, torn = judged.pairs(project, [[0, 0, 2], [0, 1, 2]], by=judged.people(project, 3))
    agreement.adjudicate(torn, by=make.person(project).user, label=0)
    return project


def test_rest_has_the_values_of_labels(feelings):
    decided, torn = read(feelings)
    assert (decided["label"], decided["votes"]) == (-1, [2, 0, 1])
    program = program_of(make.person(feelings, role="researcher").user)
    one = program.get(f"/api/pairs/{decided['id']}/").json()
    assert sorted(answer["label"] for answer in one["judgments"]) == [-1, -1, 1]
    assert program.get(f"/api/pairs/{torn['id']}/").json()["adjudication"]["label"] == -1
    for kind, label, number in (("pairs", -1, 1), ("pairs", 1, 0), ("judgments", -1, 3)):
        reply = program.get(f"/api/projects/{feelings.public_id}/{kind}/?label={label}")
        assert len(reply.json()["results"]) == number, (kind, label)
    assert program.get(f"/api/projects/{feelings.public_id}/pairs/?label=2").status_code == 400


def test_files_have_the_values_of_labels(feelings):
    client = client_of(feelings)
    [row] = rows_of(client.get(page("table", feelings, "pairs"), {"label": "-1"}))
    assert (row["label"], row["votes"]) == ("-1", "2 0 1")
    judgments = rows_of(client.get(page("table", feelings, "judgments")))
    assert sorted(row["label"] for row in judgments) == ["-1", "-1", "-1", "0", "1", "1"]
    [funnel, *_] = rows_of(client.get(page("table", feelings, "funnel")))
    assert [funnel[f"label_{value}"] for value in (-1, 0, 1)] == ["1", "0", "0"]


def test_pairs_of_which_most_people_differ_are_torn_most(project):
    votes = [[0] * 5, [0, 0, 1, 1, 2], [0, 0, 0, 1, 2]]
    others = make.study(scheme=INFERENCE, consensus_min_votes=3)
    made = judged.pairs(others, votes, by=judged.people(others, 5))
    rows = client_of(others).get(page("pairs", others)).context["rows"]
    assert [row.item.pk for row in rows] == [made[place].pk for place in (1, 2, 0)]


def test_a_model_is_compared_with_people_by_label(project):
    torn = project.pairs.order_by("pk").first()
    lines = [ModelJudgmentLine(1, torn.public_id, CONTRADICTION)]
    model_judgments.add(project, name="Guesser", lines=lines)
    [visit] = client_of(project).get(page("models", project)).context["visits"]
    assert visit.table == [(NEUTRAL, [0, 0, 1])]
    assert [*visit.by_votes] == [(3, 2)]


def test_an_expert_chooses_among_all_labels(project):
    tied = project.pairs.latest("pk")
    client = client_of(project)
    address = reverse("pair", args=[project.public_id, tied.public_id])
    choices = client.get(address).context["adjudication"]["label"].field.choices
    assert [str(name) for _, name in choices] == [*INFERENCE.outcomes, "Unclear"]
    client.post(reverse("adjudicate", args=[project.public_id, tied.public_id]), {"label": "2"})
    assert tied.adjudications.get().label == CONTRADICTION
    with pytest.raises(Refused, match="not one of this project"):
        agreement.adjudicate(tied, by=make.person(project).user, label=3)


@pytest.fixture
def young(db):
    """A study that waits for its pairs."""
    return make.study(scheme=INFERENCE, consensus_min_votes=3)


@pytest.mark.parametrize("name", ["project", "young"])
def test_no_page_of_such_a_study_speaks_of_paraphrases(name, request):
    project = request.getfixturevalue(name)
    addresses = [
        *_pages_of(project),
        *(reverse("pair", args=[project.public_id, pair.public_id]) for pair in project.pairs),
        reverse("work", args=[project.public_id, "judge"]),
    ]
    visited, speaking = 0, []
    for client in (client_of(project, "annotator"), client_of(project)):
        for address in addresses:
            reply = client.get(address)
            if reply.status_code == 200 and not reply.streaming:
                visited += 1
                if re.search("paraphras|same meaning", reply.text, re.IGNORECASE):
                    speaking.append(address)
    assert (visited > 25, speaking) == (True, [])


def _pages_of(project):
    """The addresses of pages that are about a project alone.

    Without that of a new run, which says of each method whether it makes paraphrases.
    """
    yield page("project_settings", project)
    for pattern in [*urls.project, *release_urls.project]:
        is_of_project = isinstance(pattern, URLPattern) and not pattern.pattern.converters
        if is_of_project and pattern.name != "new_run":
            yield page(pattern.name, project)
