"""Studies where votes decide nothing: pairs get the mean of their answers, or keep all of them."""

import html

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from annotation.agreement import services as agreement
from annotation.errors import Refused
from annotation.models import Consensus, Project
from annotation.pairs.selectors import pairs as table
from annotation.pairs.selectors.pairs import PairFilters
from annotation.projects.protocols import PROTOCOLS, columns
from annotation.projects.ratings import OPINIONS, SIMILARITY
from annotation.projects.selectors import glance
from annotation.stats.labels import BadScheme, Label, Level, Rule, Scheme
from annotation.stats.ratings import Ratings, ratings
from annotation.studies import types
from tests.annotation import judged, make
from tests.annotation.pages import client_of, form_at, page, scheme_inputs
from tests.annotation.rest import client_of as rest_client

pytestmark = pytest.mark.django_db
# 2, 3, 3, 4, 5: mean 3.4, and values that spread by 1.02.
ANSWERS = (2, 3, 3, 4, 5)
TOPICS = Scheme(
    (Label(0, "people"), Label(1, "places"), Label(2, "times")), Level.NOMINAL, Rule.NONE
)


def rated(protocol, *answers, **settings):
    """A study with pairs that people have rated; answers are places."""
    project = make.study(protocol=protocol, **settings)
    pairs = judged.pairs(project, answers, by=judged.people(project, len(answers[0])))
    return project, pairs


def text_of(project, address):
    return html.unescape(client_of(project).get(address).text)


def page_of(project, pair):
    return text_of(project, reverse("pair", args=[project.public_id, pair.public_id]))


def test_mean_of_the_values():
    assert SIMILARITY.mean((0, 0, 1, 2, 1, 1)) == pytest.approx(3.4)
    assert SIMILARITY.spread((0, 0, 1, 2, 1, 1)) == pytest.approx(1.0198, abs=1e-4)
    assert OPINIONS.mean((2, *[0] * 9, 1)) == pytest.approx(-5 / 3)
    assert SIMILARITY.mean((0,) * 6) is SIMILARITY.spread((0,) * 6) is None


def test_a_twelfth_label_is_refused():
    labels = tuple(Label(value, str(value)) for value in range(-6, 6))
    with pytest.raises(BadScheme, match="2 to 11 labels; this one has 12"):
        Scheme(labels, Level.INTERVAL, Rule.NONE, border=1)


@pytest.mark.both_engines
def test_a_pair_with_all_answers_is_kept_without_a_label():
    _, [pair, other] = rated("sts", ANSWERS, (0, 0, 5, 5, 0))
    for row in Consensus.objects.filter(pair__in=[pair, other]):
        assert (row.label, row.kept) == (None, True)


def test_the_page_of_a_pair_has_its_mean():
    project, [pair] = rated("sts", ANSWERS)
    text = page_of(project, pair)
    assert "mean 3.40" in text
    assert "spread 1.02: 2, 3, 3, 4, 5" in text
    assert "Decided: mean 3.40, spread 1.02" in text
    for words in ("A tie", "Expert decision", "too few agree"):
        assert words not in text


def test_the_page_of_a_pair_has_all_opinions():
    project, [pair] = rated("opinions", (0, 10, 3, 8))
    assert "-5, -2, 3, 5" in page_of(project, pair)


def test_answers_without_an_order_are_counted_by_name():
    project, [pair] = rated("opinions", (2, 0, 2, 1), scheme=TOPICS)
    assert "people 1, places 1, times 2" in page_of(project, pair)


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("protocol", "answers"),
    [
        ("sts", [(0, 5, 0, 5, 0), (1, 2, 3, 4, 5), (2, 3, 2, 3, 2), (4,) * 5]),
        ("opinions", [(0, 10, 0, 10), (0, 10, 5, 5), (4, 5, 6, 6), (7, 7, 7, 7)]),
    ],
)
def test_pairs_are_sorted_by_how_much_their_answers_spread(protocol, answers):
    project, pairs = rated(protocol, *answers)
    rows = table.page(project, PairFilters(order="disagreement"), size=3).rows
    assert [row.pk for row in rows] == [pair.pk for pair in pairs[:3]]


def test_the_list_of_pairs_offers_no_labels():
    project, _ = rated("sts", ANSWERS)
    context = client_of(project).get(page("pairs", project)).context
    assert "label" not in context["form"].fields
    assert "Too few agree" not in [str(view.name) for view in context["views"]]
    assert client_of(project).get(page("pairs", project), {"facet": "label"}).status_code == 400


def test_gold_pairs_may_have_values_below_0(printed, tmp_path):
    project = make.study(protocol="opinions")
    lines = [
        f"Is it {n}?\tIs this {n}?\t{label}"
        for n, label in enumerate(("-5", "certainly the same", "-1"))
    ]
    file = tmp_path / "gold.tsv"
    file.write_text("\n".join(("sentence1\tsentence2\tlabel", *lines)))
    printed("import_gold_pairs", str(file), project=project.name)
    gold = project.pairs.order_by("pk").values_list("gold_label", flat=True)
    assert [project.scheme.value(place) for place in gold] == [-5, 5, -1]


def test_no_expert_decides_a_pair_without_a_label():
    project, [pair] = rated("sts", ANSWERS)
    by = make.person(project, role="manager").user
    with pytest.raises(Refused, match="no pair has one label"):
        agreement.adjudicate(pair, by=by, label=1)


def test_rest_has_the_mean():
    project, [pair] = rated("sts", ANSWERS)
    client = rest_client(make.person(project, role="researcher").user)
    row = client.get(f"/api/pairs/{pair.public_id}/").json()
    assert (row["label"], row["kept"], row["mean"]) == (None, True, 3.4)
    assert row["spread"] == pytest.approx(1.0198, abs=1e-4)


def test_rest_has_no_mean_of_opinions():
    project, _ = rated("opinions", (0, 10, 3, 8))
    client = rest_client(make.person(project, role="researcher").user)
    [row] = client.get(f"/api/projects/{project.public_id}/pairs/").json()["results"]
    assert (row["label"], row["mean"], row["spread"]) == (None, None, None)


def test_the_table_of_pairs_has_the_mean():
    project, _ = rated("sts", ANSWERS)
    header, row = (
        client_of(project)
        .get(reverse("table", args=[project.public_id, "pairs"]))
        .getvalue()
        .decode()
        .splitlines()
    )
    cells = dict(zip(header.split(","), row.split(","), strict=True))
    assert (cells["label"], cells["mean"]) == ("", "3.4")


def test_ratings_are_the_answers_by_label_with_the_mean_of_pairs():
    votes = {(2, 0, 0, 0, 0, 0): 3, (0, 0, 0, 0, 1, 1): 1}
    counted = ratings(votes, SIMILARITY)
    assert counted.by_label == (6, 0, 0, 0, 1, 1)
    assert (counted.mean, counted.spread) == (pytest.approx(4.5 / 4), pytest.approx(0.5 / 4))
    assert ratings({}, SIMILARITY) == Ratings((0,) * 6)


def test_the_overview_counts_answers():
    project, _ = rated("sts", ANSWERS, (0, 0, 0, 3, 3))
    context = client_of(project).get(page("overview", project)).context
    grades = context["grades"]
    assert [grade.number for grade in grades.grades] == [3, 0, 1, 4, 1, 1]
    assert (grades.total, grades.decided) == (10, 2)
    assert context["alpha_name"] == "Interval alpha"
    assert context["labels"] is None
    text = text_of(project, page("overview", project))
    assert "Interval alpha" in text
    for words in ("upper side", "human agreement"):
        assert words not in text
    study = types.study_at(glance.of_projects([project])[project.pk])
    assert "Kept" not in [stage.name for stage in study.stages(None)]


def test_the_report_has_answers_with_their_mean(printed):
    project, _ = rated("sts", ANSWERS)
    rows = [line.rsplit(maxsplit=1) for line in printed("report", project=project.name).split("\n")]
    figures = {name.strip(): figure for name, figure in filter(lambda row: len(row) == 2, rows)}
    assert figures["Answers: 3 The same but for something important"] == "2"
    assert (figures["Mean"], figures["Spread within a pair"]) == ("3.40", "1.02")
    assert "paraphrase" not in figures


def test_agreement_has_no_column_of_kept_pairs():
    project, _ = rated("sts", ANSWERS)
    text = text_of(project, page("agreement", project))
    assert "The headline measure is interval alpha" in text
    assert "Kept pairs" not in text
    assert "Distance from the others" in text


@pytest.mark.parametrize("protocol", ["sts", "opinions"])
def test_agreement_has_no_figures_about_a_majority(printed, protocol):
    people = PROTOCOLS[protocol].judgments_per_pair
    project, _ = rated(protocol, *[(4, 2, 5, 3, 1)[:people]] * 12)
    text = text_of(project, page("agreement", project))
    assert "Over time" in text
    report = printed("report", project=project.name)
    for words in ("human agreement", "majority", "cohen’s kappa", "accuracy", "with consensus"):
        assert words not in text.casefold()
        assert words not in report.casefold()
    assert "Distance from the others' mean" in report


@pytest.mark.parametrize("name", ["sts", "opinions"])
def test_the_form_asks_for_no_votes(name):
    client = client_of(make.study())
    sent = form_at(client, "/projects/new/", name="Rated", preset=name, began_with="paws")
    client.post("/projects/new/", sent | {"consensus_min_votes": "", "decides_early": "on"})
    project = Project.objects.get(name="Rated")
    assert {field: getattr(project, field) for field in columns(PROTOCOLS[name])} == (
        columns(PROTOCOLS[name])
    )


def test_own_labels_may_have_a_mean():
    client = client_of(make.study())
    form = form_at(client, "/projects/new/", name="Own", consensus_min_votes="")
    client.post("/projects/new/", form | scheme_inputs(OPINIONS) | {"scheme-rule": "mean"})
    project = Project.objects.get(name="Own")
    assert (project.scheme.rule, project.consensus_min_votes) == (Rule.MEAN, 1)


def test_votes_cannot_be_set_where_they_decide_nothing():
    project = make.study(protocol="sts")
    project.consensus_min_votes = 3
    with pytest.raises(ValidationError, match="Votes decide nothing here"):
        project.full_clean()
