"""People of projects in the admin: their places, and steps about their work."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from annotation.models import Intervention, Invitation, Membership
from tests.annotation.admin.pages import act, page
from tests.annotation.filled import Filled


def test_a_manager_gives_somebody_a_place(study: Filled, root: Client) -> None:
    newcomer = User.objects.create_user("newcomer")
    place = {"project": study.project.pk, "user": newcomer.pk, "role": "annotator"}

    root.post(page(Membership, "add"), place | {"may_judge": "on"})

    member = Membership.objects.get(user=newcomer)
    assert (member.may_correct, member.may_judge) == (False, True)


def test_changing_a_place_leaves_the_queue_alone(study: Filled, root: Client) -> None:
    judge = study.judges[0]
    judge.judgment_place = 7
    judge.save()

    root.post(page(Membership, "change", judge.pk), {"role": "researcher", "may_judge": "on"})

    changed = Membership.objects.get(pk=judge.pk)
    assert (changed.role, changed.user_id) == ("researcher", judge.user_id)
    assert changed.judgment_place == judge.judgment_place == 7


def test_somebody_can_leave_a_project(study: Filled, root: Client) -> None:
    root.post(page(Membership, "delete", study.judges[1].pk), {"post": "yes"})

    assert not Membership.objects.filter(pk=study.judges[1].pk).exists()


def test_a_record_of_interventions_is_not_deleted_with_its_person(
    study: Filled, root: Client
) -> None:
    root.post(page(Membership, "delete", study.judges[0].pk), {"post": "yes"})

    assert Membership.objects.filter(pk=study.judges[0].pk).exists()


def test_several_are_paused_with_one_reason_on_record(study: Filled, root: Client) -> None:
    reply = act(root, "pause", *study.judges[:2], reason="Please wait.")

    steps = Intervention.objects.filter(kind="pause").order_by("membership")
    assert [(step.membership, step.reason) for step in steps] == [
        (judge, "Please wait.") for judge in study.judges[:2]
    ]
    assert {step.by.username for step in steps if step.by} == {"root"}
    assert "2 of 2 paused." in reply.text
    assert Membership.objects.filter(paused_at__isnull=False).count() == 2


def test_without_a_reason_nobody_is_paused(study: Filled, root: Client) -> None:
    reply = act(root, "pause", study.judges[0])

    assert "0 of 1 paused." in reply.text
    assert "Say why, in words for the annotator." in reply.text
    assert not Membership.objects.filter(paused_at__isnull=False).exists()


def test_who_is_not_paused_is_not_resumed(study: Filled, root: Client) -> None:
    act(root, "pause", study.judges[0], reason="Please wait.")
    reply = act(root, "resume", *study.judges[:2], reason="Go on.")

    assert "1 of 2 resumed." in reply.text
    assert Intervention.objects.filter(kind="resume").count() == 1


@pytest.mark.parametrize("action", ["pause", "resume"])
def test_who_may_only_look_takes_no_step(study: Filled, client: Client, action: str) -> None:
    looker = User.objects.create_user("looker", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(codename="view_membership"))
    client.force_login(looker)

    act(client, action, study.judges[0], reason="Because.")

    assert not Intervention.objects.filter(kind=action).exists()


def test_an_invitation_is_revoked_and_its_digest_shown_nowhere(study: Filled, root: Client) -> None:
    invitation = Invitation.objects.get()
    reply = act(root, "revoke", invitation)

    assert "1 invitations revoked." in reply.text
    assert invitation.digest not in reply.text
    assert invitation.digest not in root.get(page(Invitation, "change", invitation.pk)).text
    invitation.refresh_from_db()
    assert invitation.revoked_at is not None
