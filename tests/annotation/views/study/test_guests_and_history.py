"""Labels of models beside those of people, and the record of what managers did."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts import audit
from accounts.acts import Act
from annotation.guest_lines import GuestLine
from annotation.models import Guest, Membership
from annotation.selectors import guests as selector
from annotation.services import guests
from generation.services import steering
from tests.annotation import cast, judged
from tests.annotation.views.pages import client_of, page, rows_of, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def study(module_db):
    return cast.study()


@pytest.fixture(scope="module")
def pairs(study):
    votes = [[1, 1, 1, 1, 1], [0, 0, 0, 0, 1], [0, 0, 0, 1, 1]]
    return judged.pairs(study, votes, by=judged.people(study, 5))


@pytest.fixture(scope="module")
def ada(study):
    return cast.person(study, role=Membership.Role.MANAGER).user


@pytest.fixture(scope="module")
def client(ada):
    return signed_in(ada)


def say(pairs, labels, name="Model"):
    lines = [GuestLine(1, pair.public_id, label) for pair, label in zip(pairs, labels, strict=True)]
    guests.add(pairs[0].project, name=name, lines=lines)
    return Guest.objects.get(project=pairs[0].project, name=name)


def bring(client, study, text):
    sent = {"name": "Model", "file": SimpleUploadedFile("labels.tsv", text.encode())}
    return client.post(page("add_guest", study), sent, follow=True)


def test_labels_of_a_model_are_added_shown_and_removed(study, pairs, client, ada):
    assert "No model has been here yet." in client.get(page("guests", study)).text
    lines = zip(pairs, [1, 1, 0], strict=True)
    text = "".join(f"{pair.public_id}\t{label}\t0.5\n" for pair, label in lines)
    reply = bring(client, study, "pair\tlabel\tscore\n" + text)
    assert "3 labels were added." in reply.text
    assert "66.7" in reply.text
    [line] = reply.context["lines"]
    assert (line.pair, line.votes) == (pairs[1], "4:1")
    guest = Guest.objects.get()
    assert guest.added_by == ada
    text = client_of(study, "researcher").get(page("guests", study)).text
    assert "Model" in text
    assert "Bring a guest" not in text
    other = cast.study()
    reply = client_of(other).post(page("remove_guest", other), {"guest": guest.public_id})
    assert (reply.status_code, Guest.objects.count()) == (404, 1)
    client.post(page("remove_guest", study), {"guest": guest.public_id})
    assert not Guest.objects.exists()


def test_pairs_on_which_a_guest_and_people_part_are_shown_and_are_a_file(
    study, pairs, client, monkeypatch
):
    monkeypatch.setattr(selector, "PAGE", 2)
    address, file = page("guests", study), page("table", study, "guest-parting")
    assert rows_of(client.get(file)) == []
    one, _ = say(pairs, [0, 1, 1], "=One"), say(pairs, [1, 1, 0], "Two")
    assert client.get(address).context["guest"].name == "Two"
    shown = client.get(address, {"guest": one.public_id})
    assert [line.pair for line in shown.context["lines"]] == pairs[:2]
    assert f"guest-parting.csv?guest={one.public_id}" in shown.text
    assert client.get(address, {"guest": "nonsense"}).status_code == 404
    rows = rows_of(client.get(file, {"guest": one.public_id}))
    assert [row["id"] for row in rows] == [str(pair.public_id) for pair in pairs]
    expected = {"guest": "'=One", "label": "0", "votes": "4 1", "guest_label": "1", "score": ""}
    assert expected.items() <= rows[1].items()
    assert [row["guest"] for row in rows_of(client.get(file))] == ["Two"]


def acts(client, study, **asked):
    return [line.entry.act for line in client.get(page("history", study), asked).context["lines"]]


def test_the_record_of_a_project_is_read_newest_first_and_filtered(study, client, ada):
    ben = cast.person(study, role=Membership.Role.MANAGER).user
    cast.candidates(study, [("Ada met Bo.", "Bo met Ada.")])
    run = study.runs.latest("pk")
    run.state = run.State.RUNNING
    run.save()
    steering.steer(run, steering.Action.PAUSE, by=ada)
    assert acts(client, study)[0] == Act.RUN_STEERED
    audit.record(Act.REOPENED, by=ada, on=cast.study())
    for by in (ada, ben):
        audit.record(Act.REOPENED, by=by, on=study, pairs=3)
    audit.record(Act.PROJECT_CHANGED, by=ada, on=study, values={"lease_minutes": [15, 30]})
    assert "Held for, in minutes: 15 → 30" in client.get(page("history", study)).text
    expected = [Act.PROJECT_CHANGED, Act.REOPENED, Act.REOPENED, Act.RUN_STEERED]
    assert acts(client, study)[:4] == expected
    assert acts(client, study, act=Act.REOPENED) == [Act.REOPENED] * 2
    assert acts(client, study, by=ben.public_id) == [Act.REOPENED]
    reply = client.get(page("history_file", study), {"act": Act.REOPENED})
    header, *rows, _ = b"".join(reply.streaming_content).decode().split("\r\n")
    assert header.endswith("at,by,act,kind,id,details")
    assert [name in row for row, name in zip(rows, (ben.username, ada.username), strict=True)]
    assert client.get(page("history_file", study), {"act": "nothing"}).status_code == 404
