"""Projects over REST."""

from tests.annotation import cast
from tests.annotation.api.conftest import As
from tests.annotation.filled import Filled


def test_a_project_says_by_which_protocol_it_goes(addresses: dict[str, str], as_: As) -> None:
    protocol = as_("researcher").get(addresses["project"]).json()["protocol"]

    assert protocol == {
        "judgments_per_pair": 5,
        "consensus_min_votes": 4,
        "decides_early": False,
        "max_label": 1,
        "paraphrase_from": 1,
        "corrected_methods": ["word_swap"],
        "lease_minutes": 30,
        "seed": 0,
    }


def test_a_project_says_how_far_it_is(addresses: dict[str, str], as_: As) -> None:
    progress = as_("researcher").get(addresses["project"]).json()["progress"]

    assert progress == {
        "candidates": 2,
        "accepted": 0,
        "fixed": 1,
        "rejected": 0,
        "to_correct": 0,
        "pairs": 2,
        "judgments": 5,
        "to_judge": 5,
        "decided": 1,
        "kept": 1,
    }


def test_a_project_names_its_runs(study: Filled, addresses: dict[str, str], as_: As) -> None:
    runs = as_("researcher").get(addresses["project"]).json()["runs"]

    assert sorted(runs) == sorted(str(run.public_id) for run in study.project.runs.all())


def test_projects_are_listed_oldest_first(study: Filled, as_: As) -> None:
    later = cast.study()

    listed = as_("superuser").get("/api/projects/").json()["results"]

    assert [row["name"] for row in listed] == [study.project.name, later.name]
