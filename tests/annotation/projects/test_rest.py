"""What is read of one study: itself, its figures, its models, and its answers and corrections."""

import pytest
from django.utils import timezone

from annotation.agreement import services as agreement
from annotation.models import Correction, JudgingModel, Judgment, ModelJudgment
from annotation.people.selectors.names import pseudonym
from annotation.quality.services import interventions
from tests.annotation import judged, make
from tests.annotation.rest import client_of, rows

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def project(module_db):
    """Two pairs, each judged alike by two people, and by a third who differs."""
    project = make.study(judgments_per_pair=3, consensus_min_votes=3)
    make.pairs(project, 2)
    judged.all_that_is_open(project, [1, 1, 0])
    return project


@pytest.fixture
def manager(project, db):
    return client_of(make.person(project, role="manager").user)


SCHEME = {
    "labels": [{"value": 0, "name": "Different meaning"}, {"value": 1, "name": "Same meaning"}],
    "level": "nominal",
    "rule": "side",
    "border": 1,
    "directed": False,
    "captions": [],
}


@pytest.fixture
def researcher(project, db):
    return client_of(make.person(project, role="researcher").user)


def of(project, what):
    return f"/api/projects/{project.public_id}/{what}/"


def test_a_project_describes_its_protocol_its_progress_and_its_runs(study, at, reader):
    row = reader.get(at["api_project"]).json()
    assert row["protocol"] == (
        {"judgments_per_pair": 5, "consensus_min_votes": 4, "judgments_at_most": None}
        | {"decides_early": False, "corrected_methods": ["word_swap", "prompted"], "scheme": SCHEME}
        | {"order": "depth", "seed": 0}
    )
    assert row["progress"] == (
        {"candidates": 2, "accepted": 0, "fixed": 1, "rejected": 0, "to_correct": 0}
        | {"excluded": 0, "pairs": 2, "judgments": 5, "to_judge": 5, "decided": 1, "kept": 1}
    )
    assert sorted(row["runs"]) == sorted(str(run.public_id) for run in study.project.runs.all())


def test_managers_alone_read_the_figures_of_each_annotator(project, manager, researcher):
    differs, pair = project.memberships.order_by("pk")[2], project.pairs.earliest("pk")
    project.skips.create(annotator=differs.user, item=pair, reason="unclear")
    project.pairs.filter(pk=pair.pk).update(gold_label=1)
    page = manager.get(of(project, "annotators")).json()
    assert page["next"] is None
    row = next(row for row in page["results"] if row["name"] == differs.user.username)
    seconds = Judgment.objects.filter(annotator=differs.user).earliest("pk").seconds
    assert row.pop("last_seen")
    assert row.pop("agreement_interval")
    assert row == (
        {"name": differs.user.username, "annotator": pseudonym(project, differs.user_id)}
        | {"role": "annotator", "simulated": False, "corrections": 0, "judgments": 2, "skips": 1}
        | {"median_seconds": seconds, "label_shares": [1.0, 0.0], "compared": 1}
        | {"agreement": 0.0, "kappa": 0.0, "gold_given": 1, "gold_right": 0, "flags": []}
        | {"translations": 0, "validations": 0}
        | {"decided": 1, "kappa_consensus": 0.0, "excluded": False, "paused_at": None}
    )
    [error] = researcher.get(of(project, "annotators")).json()["errors"]
    assert error["detail"] == "Only managers of the project may do this."
    assert error["code"] == "permission_denied"


def test_a_model_labels_pairs_and_changes_no_figure_of_agreement(project, manager):
    before = manager.get(of(project, "agreement")).json()
    figures = before["overall"]["before_filter"]
    assert figures["human_agreement"]["value"] == pytest.approx(2 / 3)
    assert (figures["pairs"], before["overall"]["after_filter"]["pairs"]) == (2, 0)
    model = JudgingModel.objects.create(
        project=project, name="large-judge", revision="7", note="Once"
    )
    labels = dict(zip(project.pairs.order_by("pk"), (1, 0), strict=True))
    for pair, label in labels.items():
        ModelJudgment.objects.create(model=model, pair=pair, label=label, score=0.75)
    [row] = manager.get(of(project, "models")).json()["results"]
    assert row.pop("created_at")
    assert row == (
        {"id": str(model.public_id), "project": str(project.public_id), "name": "large-judge"}
        | {"revision": "7", "note": "Once", "judgments": 2}
    )
    address = f"/api/models/{model.public_id}/judgments/"
    expected = [(str(pair.public_id), label, 0.75) for pair, label in labels.items()]
    assert [tuple(row.values()) for row in rows(manager, address, limit=1)] == expected
    assert len(list(rows(manager, address, label=0))) == 1
    assert manager.get(of(project, "agreement")).json() == before


@pytest.fixture
def address(project):
    return of(project, "judgments")


@pytest.mark.both_engines
def test_each_answer_is_a_row_and_nothing_else_is(project, researcher, address):
    slot = Judgment.objects.filter(item__project=project).order_by("item", "number")[0]
    make.pairs(project, 1)
    [gold] = make.gold_pairs(project, [1])
    user = make.person(project).user
    answer = {"annotator": user, "person": user, "label": 1, "submitted_at": timezone.now()}
    Judgment.objects.create(project=project, item=gold, **answer)
    row, *others = rows(researcher, address)
    assert len(others) == 5
    assert row.pop("submitted_at")
    assert row == (
        {"pair": str(slot.item.public_id), "slot": 1, "round": 1, "label": slot.label}
        | {"annotator": pseudonym(project, slot.annotator_id), "seconds": slot.seconds}
        | {"highlighted": None, "reason": "", "words": None}
        | {"excluded": False, "superseded": False, "simulated": False}
    )


@pytest.mark.both_engines
def test_pages_hold_every_answer_once_and_begin_only_after_one(project, researcher, address):
    found = [(row["pair"], row["slot"]) for row in rows(researcher, address, limit=2)]
    pairs = [str(pair.public_id) for pair in project.pairs.order_by("pk")]
    assert found == [(pair, slot) for pair in pairs for slot in (1, 2, 3)]
    for after in ("7", "{}", "{}.9", "{}.x", "{}.1.1", ".1"):
        reply = researcher.get(address, {"after": after.format(pairs[0])})
        assert reply.status_code == 400, after
        assert [error["attr"] for error in reply.json()["errors"]] == ["after"]


@pytest.mark.both_engines
def test_answers_can_be_filtered(researcher, address):
    for query, number in (
        ({"label": 0}, 2),
        ({"label": 1}, 4),
        ({"method": "back_translation"}, 6),
        ({"method": "word_swap"}, 0),
        ({"excluded": "true"}, 0),
        ({"superseded": "false"}, 6),
        ({"run": "6a1d7c52-9f0e-4d53-8f38-6f5b9b8a2e11"}, 0),
        ({"simulated": "True"}, 0),
        ({"submitted_from": "2001-01-01T00:00:00Z", "label": 1}, 4),
        ({"submitted_before": "2001-01-01T00:00:00Z"}, 0),
    ):
        assert len(list(rows(researcher, address, **query))) == number, query


@pytest.mark.both_engines
def test_answers_and_pairs_are_found_by_person_run_and_model(project, researcher, address):
    run = project.runs.get()
    run.model_identities = {"generator": {"name": "parrot", "revision": "1"}}
    run.save()
    who = pseudonym(project, project.memberships.earliest("pk").user_id)
    found = list(rows(researcher, address, annotator=who, run=run.public_id, model="parrot"))
    assert [row["annotator"] for row in found] == [who, who]
    pairs = list(rows(researcher, of(project, "pairs"), run=run.public_id, model="parrot"))
    assert [pair["run"] for pair in pairs] == [str(run.public_id)] * 2
    unknown = researcher.get(of(project, "pairs"), {"model": "crow"}).json()["errors"]
    assert [(error["attr"], error["detail"]) for error in unknown] == [
        ("model", "No row has this value. Check its spelling.")
    ]
    runs = {"model": "parrot", "corpus": "Tests", "state": run.state, "method": run.method}
    assert [row["id"] for row in rows(researcher, "/api/runs/", **runs)] == [str(run.public_id)]
    best = list(rows(researcher, f"/api/runs/{run.public_id}/candidates/", rank=0))
    assert [row["rank"] for row in best] == [0]
    elsewhere = pseudonym(make.study(), project.memberships.earliest("pk").user_id)
    assert researcher.get(address, {"annotator": elsewhere}).status_code == 400


def test_the_sentences_of_a_corpus_are_listed_for_who_may_read_it(project, researcher):
    made = list(rows(researcher, "/api/corpora/Tests/sentences/", limit=1))
    texts = [pair.sentence1.text for pair in project.pairs.order_by("pk")]
    assert texts == [row["text"] for row in made if row["text"] in texts]
    assert (made[0]["id_in_file"], made[0]["near_duplicate_of"]) == ("", None)
    stranger = client_of(make.person(make.study(), role="researcher").user)
    assert stranger.get("/api/corpora/Tests/sentences/").status_code == 404


@pytest.mark.both_engines
def test_answers_that_are_excluded_or_superseded_are_marked(project, researcher, address):
    member, pair = project.memberships.earliest("pk"), project.pairs.earliest("pk")
    make.spare(project)
    agreement.reopen(project, [pair.public_id], by=make.person(project, role="manager").user)
    make.judge_all(make.person(project), 1)
    found = [row for row in rows(researcher, address) if row["pair"] == str(pair.public_id)]
    marks = {(row["slot"], row["round"], row["superseded"]) for row in found}
    assert marks == {(1, 1, True), (2, 1, True), (3, 1, True), (4, 2, False)}
    interventions.exclude(member, by=None, reason="At random")
    out = list(rows(researcher, address, excluded="true"))
    for label in (0, 1):
        pair.adjudications.create(by=member.user, label=label)
    one = researcher.get(f"/api/pairs/{pair.public_id}/").json()
    assert [each["round"] for each in one["earlier_rounds"]] == [1]
    assert one["adjudication"]["label"] == 1
    names = {(row["annotator"], row["excluded"]) for row in out}
    assert names == {(pseudonym(project, member.user_id), True)}
    assert (len(out), len(list(rows(researcher, address)))) == (2, 7)


@pytest.mark.both_engines
def test_corrections_are_listed_from_source_to_final_text():
    study = make.study()
    make.candidates(study, [(f"Ada met Bo {n}.", f"Bo met Ada {n}.") for n in range(4)])
    corrector = make.person(study)
    for action, text in (("fix", "Bo has met Ada 0."), ("accept", ""), ("reject", "")):
        make.correct_next(corrector, action, text)
    client = client_of(make.person(study, role="researcher").user)
    address = of(study, "corrections")
    fixed, accepted, rejected = rows(client, address, limit=2)
    made = Correction.objects.get(action="fix", annotator=corrector.user)
    pair = made.results.get()
    assert fixed.pop("submitted_at")
    assert fixed == (
        {"id": str(made.item.public_id), "candidate": str(made.item.candidate.public_id)}
        | {
            "pair": str(pair.public_id),
            "method": "word_swap",
            "source": "Ada met Bo 0.",
        }
        | {"text": "Bo met Ada 0.", "action": "fix", "final_text": "Bo has met Ada 0."}
        | {"annotator": pseudonym(study, corrector.user_id), "simulated": False}
        | {"seconds": 3.0, "words_kept": 1.0}
    )
    assert (accepted["source"], accepted["final_text"]) == ("Ada met Bo 1.", "Bo met Ada 1.")
    assert (rejected["final_text"], rejected["pair"]) == (None, None)
    for query, actions in (
        ({"action": "reject"}, ["reject"]),
        ({"method": "back_translation"}, []),
        ({"simulated": "false"}, ["fix", "accept", "reject"]),
        ({"submitted_before": "2001-01-01T00:00:00Z"}, []),
    ):
        assert [row["action"] for row in rows(client, address, **query)] == actions, query
