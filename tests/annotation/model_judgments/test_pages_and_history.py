"""Labels of models beside those of people, and the record of what managers did."""

import pytest

from accounts import audit
from accounts.audited_acts import Act
from annotation.model_judgments import selectors
from annotation.model_judgments import services as model_judgments
from annotation.models import JudgingModel, Membership
from annotation.pairs.labelled_lines import ModelJudgmentLine
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, rows_of, signed_in

VOTES = [[1, 1, 1, 1, 1], [0, 0, 0, 0, 1], [0, 0, 0, 1, 1]]


@pytest.fixture
def pairs(project):
    return judged.pairs(project, VOTES, by=judged.people(project, 5))


@pytest.fixture
def ada(project):
    return make.person(project, role=Membership.Role.MANAGER).user


@pytest.fixture
def client(ada):
    return signed_in(ada)


def test_labels_of_a_model_are_shown_and_removed(project, pairs, client, ada):
    given = zip(pairs, [1, 1, 0], strict=True)
    lines = [ModelJudgmentLine(1, pair.public_id, label, 0.5) for pair, label in given]
    model_judgments.add(project, name="Model", lines=lines, by=ada)
    reply = client.get(page("models", project))
    assert "66.7" in reply.text
    [row] = reply.context["rows"]
    assert (row.item, row.tally) == (pairs[1], [4, 1])
    model = JudgingModel.objects.get()
    assert model.added_by == ada
    other = make.study()
    reply = client_of(other).post(page("remove_model_judgments", other), {"model": model.public_id})
    assert (reply.status_code, JudgingModel.objects.count()) == (404, 1)
    client.post(page("remove_model_judgments", project), {"model": model.public_id})
    assert not JudgingModel.objects.exists()


def test_pairs_on_which_a_model_and_people_disagree_are_shown_and_are_a_file(
    project, pairs, client, monkeypatch
):
    monkeypatch.setattr(selectors, "PAGE", 2)
    address, file = page("models", project), page("table", project, "model-parting")
    for name, labels in (("=One", [0, 1, 1]), ("Two", [1, 1, 0])):
        said = zip(pairs, labels, strict=True)
        lines = [ModelJudgmentLine(1, pair.public_id, label) for pair, label in said]
        model_judgments.add(project, name=name, lines=lines)
    assert client.get(address).context["model"].name == "Two"
    asked = {"model": JudgingModel.objects.get(name="=One").public_id}
    shown = client.get(address, asked)
    assert [row.item for row in shown.context["rows"]] == pairs[:2]
    assert f"model-parting.csv?model={asked['model']}" in shown.text
    assert client.get(address, {"model": "nonsense"}).status_code == 404
    rows = rows_of(client.get(file, asked))
    assert [row["id"] for row in rows] == [str(pair.public_id) for pair in pairs]
    assert [row["model"] for row in rows_of(client.get(file))] == ["Two"]


def test_the_record_of_a_project_is_read_newest_first_and_filtered(project, client, ada):
    def acts(**asked):
        reply = client.get(page("history", project), asked)
        return [line.entry.act for line in reply.context["lines"]]

    ben = make.person(project, role=Membership.Role.MANAGER).user
    for by, on in ((ada, make.study()), (ada, project), (ben, project)):
        audit.record(Act.REOPENED, by=by, on=on, pairs=3)
    audit.record(Act.PROJECT_CHANGED, by=ada, on=project, values={"lease_minutes": [15, 30]})
    assert "Time to answer, in minutes: 15 → 30" in client.get(page("history", project)).text
    assert acts()[:3] == [Act.PROJECT_CHANGED, Act.REOPENED, Act.REOPENED]
    assert acts(act=Act.REOPENED) == [Act.REOPENED] * 2
    assert acts(by=ben.public_id) == [Act.REOPENED]
    reply = client.get(page("history_file", project), {"act": Act.REOPENED})
    header, *rows, _ = b"".join(reply.streaming_content).decode().split("\r\n")
    assert header.endswith("at,by,act,kind,id,details")
    assert [row.split(",")[1] for row in rows] == [ben.username, ada.username]
    assert client.get(page("history_file", project), {"act": "nothing"}).status_code == 404
