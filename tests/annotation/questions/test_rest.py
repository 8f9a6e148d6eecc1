"""Questions about annotators over REST: totals, and no single reply."""

import pytest

from tests.annotation.filled import person
from tests.annotation.questions.asking import lines_that_differ, reply_of_one
from tests.annotation.rest import client_of
from tests.annotation.test_rest_matrix import READABLE

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", ["manager", "researcher", "superuser"])
def test_a_reply_changes_nothing_over_rest(study, at, role):
    one = reply_of_one(study.project)
    client = client_of(person(role, study.project))
    for name in READABLE:
        assert lines_that_differ(one, client, at[name]) == set(), name


def test_totals_have_no_number_for_small_groups(study, at, reader):
    reply_of_one(study.project)
    [row] = reader.get(at["api_questions"]).json()["results"]
    assert (row["title"], row["retired"], row["people"]) == ("First language", False, 10)
    numbers = [(choice["choice"], choice["people"]) for choice in row["choices"]]
    assert numbers[:2] == [("German", 5), ("English", None)]
    assert numbers[-1] == (None, None)
