"""Candidates of a run, and the sentences that got none, on their pages."""

import pytest

from annotation.runs import services as project_runs
from generation.models import Candidate
from support import fake
from support.workers import work_until_idle
from tests.annotation import make
from tests.annotation.pages import page, statements

pytestmark = pytest.mark.django_db


def test_a_run_lists_its_candidates_a_page_at_a_time_in_three_orders(project, manager):
    texts = [(f"Ada {n} met Bo in May.", f"Bo met Ada {n} in May.") for n in range(120)]
    made = make.candidates(project, texts)
    address = page("run", project, made[0].run.public_id)
    assert "Highest estimate first" not in manager.get(address).text
    for number, candidate in enumerate(made):
        # Three of each estimate: pages begin and end between equal ones.
        Candidate.objects.filter(pk=candidate.pk).update(probability=number // 3 / 70)
    expected = [candidate.text for candidate in made]
    for order, texts in (("corpus", expected), ("lowest", expected), ("highest", expected[::-1])):
        reply, shown = manager.get(address, {"order": order}), []
        while True:
            shown.append(reply.context["candidates"])
            if not (following := reply.context["links"].after):
                break
            reply = manager.get(address + following)
        assert ["".join(p.text for p in each.after) for rows in shown for each in rows] == texts
        assert [len(rows) for rows in shown] == [50, 50, 20]
        assert "120 candidates</h2>" in reply.text
        back = manager.get(address + reply.context["links"].before)
        assert back.context["candidates"] == shown[1]
    many = statements(manager, address, order="lowest")
    make_fewer = make.candidates(project, [("Cy saw Di.", "Di saw Cy.")])[0]
    Candidate.objects.filter(pk=make_fewer.pk).update(probability=0.5)
    fewer = statements(manager, page("run", project, make_fewer.run.public_id), order="lowest")
    assert many == fewer


def test_the_sentences_of_finished_batches_without_a_candidate_are_listed_in_pages(
    project, manager, backwards
):
    [run] = project_runs.start(project, [fake.corpus(1200)], method="word_swap")
    work_until_idle(run)
    run.batches.filter(number=3).update(state="parked", finished_at=None)
    # Every tenth sentence has a single word, which cannot be rewritten.
    expected = [f"w{n}" for n in range(0, 1200, 10) if n != 10]
    address = page("run", project, run.public_id)
    assert "?without=on#run-list" in manager.get(address).text
    reply, shown = manager.get(address, {"without": "on"}), []
    while True:
        shown.append([each.text for each in reply.context["without"]])
        if not (following := reply.context["links"].after):
            break
        reply = manager.get(address + following)
    assert [len(texts) for texts in shown] == [50, 50, 19]
    assert [text for texts in shown for text in texts] == expected
    assert "Sentences without a candidate: 119</h2>" in reply.text
    back = manager.get(address + reply.context["links"].before)
    assert [each.text for each in back.context["without"]] == shown[1]


def test_an_order_or_a_page_that_a_run_lacks_is_named_and_the_first_page_offered(project, manager):
    made = make.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    address = page("run", project, made[0].run.public_id)
    no_page = "There is no such page."
    for asked, status, said in (
        ({"order": "score"}, 400, "Select a valid choice."),
        ({"after": "x"}, 400, no_page),
        ({"after": f"{10**12}_0"}, 200, no_page),
    ):
        reply = manager.get(address, asked)
        assert (reply.status_code, said in reply.text) == (status, True), asked
        assert f'href="{address}#run-list">First page' in reply.text


def test_a_run_shows_its_expected_paraphrases_by_shape(project, manager):
    texts = [(f"In May, Ada {n} met Bo.", f"Ada {n} met Bo in May.") for n in range(6)]
    candidates = make.candidates(project, texts)
    run = candidates[0].run
    assert "Expected paraphrases" not in manager.get(page("run", project, run.public_id)).text
    shapes = [("adverbial", True, 0.9), ("adverbial", True, 0.5), ("adverbial", False, 0.8)]
    shapes += [("name", False, 0.2), ("name", False, 0.4)]
    for candidate, (kind, is_rotation, paraphrase) in zip(candidates[1:], shapes, strict=True):
        columns = {"kind": kind, "is_rotation": is_rotation, "paraphrase": paraphrase}
        Candidate.objects.filter(pk=candidate.pk).update(**columns)
    shown = manager.get(page("run", project, run.public_id)).context["shapes"]
    assert shown["kinds"] == [
        ("adverbials", [(2, pytest.approx(0.7)), (1, pytest.approx(0.8))]),
        ("names", [None, (2, pytest.approx(0.3))]),
    ]
    assert shown["total"] == [(2, pytest.approx(0.7)), (3, pytest.approx(1.4 / 3))]
    assert manager.get(f"/api/runs/{run.public_id}/").json()["shapes"] == [
        {"kind": "adverbial", "is_rotation": False, "candidates": 1, "share": pytest.approx(0.8)},
        {"kind": "adverbial", "is_rotation": True, "candidates": 2, "share": pytest.approx(0.7)},
        {"kind": "name", "is_rotation": False, "candidates": 2, "share": pytest.approx(0.3)},
    ]
