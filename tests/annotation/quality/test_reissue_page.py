"""The page of a re-issue: its thresholds, its preview, what it does, and what waits afterwards."""

import re

import pytest

from annotation.models import Intervention, Slot
from annotation.quality.services import interventions, reissue
from tests.annotation import make
from tests.annotation.careless import LOOSE, small
from tests.annotation.pages import HTMX, client_of, page, signed_in, undone

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
TOKEN = r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"'
REASON = {"reason": "They look like guesses."}


def shown(client, project, **rules):
    return client.get(page("reissue", project), LOOSE | rules)


def confirmed(client, project, digest, **sent):
    query = "&".join(f"{name}={value}" for name, value in LOOSE.items())
    return client.post(f"{page('reissue', project)}?{query}", REASON | sent | {"digest": digest})


def test_a_manager_previews_confirms_and_sees_what_waits():
    project, people, _ = small([2, 1, 2, 1])
    client = client_of(project)
    reply = shown(client, project)
    text, plan = reply.content.decode(), reply.context["plan"]
    for person in (people[0], people[3]):
        assert person.user.username in text
    assert "4 answers of the low annotators will be excluded." in text
    assert not Intervention.objects.exists()
    reply = confirmed(client, project, plan.digest)
    assert (reply.status_code, reply.url) == (302, page("reissue", project))
    after = client.get(reply.url).content.decode()
    assert "4 answers were excluded and reassigned." in after
    assert "4 answers of an earlier re-issue are still missing." in after
    assert "has a kappa below 0.40" in after
    [step] = people[0].interventions.all()
    assert (step.kind, step.reason) == ("exclude", REASON["reason"])
    interventions.pause(people[3], by=None, reason="Wait, please.")
    for each in people[1:3]:
        interventions.pause(each, by=None, reason="Wait, please.")
    assert "4 of them can’t be given" in client.get(reply.url).content.decode()
    assert "4 reserved answers" in client.get(page("overview", project)).content.decode()
    client.post(page("release_reserved", project))
    assert not Slot.objects.filter(reserved=True).exists()
    history = client.get(page("history", project)).content.decode()
    assert "Answers reassigned to the best annotators" in history
    assert f"low annotators: {people[0].user.username}<" in history
    assert people[3].user.username in history


def test_what_is_wrong_is_said_and_nothing_changes():
    project, _, _ = small()
    client = client_of(project)
    for rules, reason in (
        ({"below": 1.5}, "less than or equal to 1"),
        ({"most": ""}, "This field is required."),
        ({"below": 0.9, "above": 0.5}, "The lower threshold must not exceed the upper one"),
    ):
        reply = shown(client, project, **rules)
        assert (reply.status_code, "plan" in reply.context) == (400, False)
        assert reason in reply.content.decode()
    digest = shown(client, project).context["plan"].digest
    for sent, reason in (
        ({"digest": "of other people"}, "figures have changed"),
        ({"digest": digest}, "4 answers can go to none of the best"),
        ({"digest": digest, "reason": ""}, "This field is required."),
    ):
        reply = confirmed(client, project, **sent)
        assert reply.status_code == 409
        assert reason in reply.content.decode()
    assert not Intervention.objects.exists()
    assert confirmed(client, project, digest, anybody="on").status_code == 302
    assert not Slot.objects.filter(reserved=True).exists()


def bodies(client, project):
    """The page of work, its part, and what follows an answer, without tokens."""
    address = page("work", project, "judge")
    with undone():
        replies = [client.get(address, headers=part) for part in ({}, HTMX)]
        item = replies[0].context["item"].id
        replies.append(client.post(address, {"item": item, "label": 2}, headers=HTMX))
    return [re.sub(TOKEN, "", reply.content.decode()) for reply in replies]


def test_a_reserved_pair_is_shown_byte_for_byte_as_any_other():
    project, people, pairs = small([2, 1, 2, 1])
    reissue.carry_out(reissue.plan(project, **LOOSE), None)
    slots = Slot.objects.unanswered().filter(project=project)
    slots.exclude(item=pairs[1]).update(queue_key=None)  # so that both times it is this pair
    client = signed_in(people[3].user)
    as_reserved = bodies(client, project)
    assert str(pairs[1].public_id) in as_reserved[0]
    slots.update(reserved=False)
    people[3].duties.update(takes_reserved=False)
    assert bodies(client, project) == as_reserved
    assert "reserved" not in "".join(as_reserved).lower()


@pytest.mark.parametrize(("protocol", "status"), [("nli", 200), ("sts", 404), ("opinions", 404)])
def test_studies_whose_votes_decide_no_label_have_no_such_page(protocol, status):
    project = make.study(protocol=protocol)
    client = client_of(project)
    assert client.get(page("reissue", project)).status_code == status
    assert (page("reissue", project) in client.get(page("people", project)).text) == (status == 200)
