"""Which labels are confused: on the page, in a file and over REST, where labels have no order."""

import pytest

from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, rows_of
from tests.annotation.rest import client_of as rest_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def study(protocol, votes):
    """A study whose pairs have these labels; each list is cut to its number of people."""
    project = make.study(protocol=protocol)
    number = project.judgments_per_pair
    labels = [labels[:number] for labels in votes]
    judged.pairs(project, labels, by=judged.people(project, number))
    return project


@pytest.fixture
def inference():
    return study("nli", [[0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [2, 2, 2, 2, 2]])


def in_rest(project):
    researcher = rest_client(make.person(project, role="researcher").user)
    return researcher.get(f"/api/projects/{project.public_id}/agreement/").json()


def test_counts_are_over_rest(inference):
    assert in_rest(inference)["confusions"] == [[16, 4, 0], [4, 0, 0], [0, 0, 10]]


def test_counts_are_in_a_file(inference):
    rows = rows_of(client_of(inference).get(page("table", inference, "agreement-confusions")))
    assert rows[1] == {
        "value": "1", "label": "neutral", "label_0": "4", "label_1": "0", "label_2": "0",
    }  # fmt: skip


def test_the_page_shades_what_is_confused(inference):
    reply = client_of(inference).get(page("agreement", inference))
    (name, cells), *_ = reply.context["confusions"]
    assert name == "entailment"
    # Beside the 36 answers of the first row are 32 of the same label and 4 of the second.
    assert [(cell.number, cell.shade) for cell in cells] == [(16, 0), (4, 1), (0, 0)]
    assert cells[1].share == pytest.approx(4 / 36)
    assert 'class="number shade-1">4 ' in reply.text


@pytest.mark.parametrize("protocol", ["paws", "parade", "opinions"])
def test_two_labels_and_labels_in_an_order_have_no_such_table(protocol):
    project = study(protocol, [[1, 0, 1, 1, 1]])
    assert in_rest(project)["confusions"] == []
    assert (
        "Which labels are confused" not in client_of(project).get(page("agreement", project)).text
    )


@pytest.mark.parametrize("protocol", ["sts", "opinions"])
def test_studies_without_a_majority_have_no_human_agreement(protocol):
    project = study(protocol, [[1] * 5, [2] * 5, [1, 2, 1, 2, 1]])
    figures = in_rest(project)["overall"]["before_filter"]
    assert figures["pairs"] == 3
    assert figures["human_agreement"] == {"value": None, "interval": None}
    client = client_of(project)
    for name, columns in (
        ("agreement", ["agreement"]),
        ("over-time", ["agreement"]),
        ("funnel", ["agreement", "kept_agreement"]),
    ):
        for row in rows_of(client.get(page("table", project, name))):
            assert [row[column] for column in columns] == [""] * len(columns)
