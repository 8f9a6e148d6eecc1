"""Managers bring people in, and make the qualification set and the hidden pairs."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from annotation.forms.known_pairs import KnownPairsForm
from annotation.forms.qualification import LinesForm
from annotation.models import Invitation, QualificationAttempt, Role
from annotation.services import invitations
from tests.annotation import cast
from tests.annotation.views.pages import client_of, page, signed_in

OFFER = {"role": "annotator", "may_judge": "on", "most_people": "3", "days": "7", "note": "May"}
HEADER = "sentence1\tsentence2\tlabel\texplanation\n"
TWO = HEADER + "Ada saw Bo.\tBo saw Ada.\t0\tSwap.\nIt rained a lot.\tIt rained much.\t1\t\n"


@pytest.fixture
def manager(project):
    return cast.person(project, role=Role.MANAGER)


@pytest.fixture
def client(manager):
    return signed_in(manager.user)


def test_a_link_is_shown_once_counted_and_taken_back(client, project, manager):
    reply, people = client.post(page("invite", project), OFFER), page("people", project)
    [secret] = re.findall(r'value="http://testserver/join/([\w-]{43})/"', reply.text)
    made = Invitation.objects.get()
    assert (made.most_people, made.may_correct, made.may_judge) == (3, False, True)
    assert (made.note, made.created_by) == ("May", manager.user)
    assert 6 <= (made.expires_at - timezone.now()).days <= 7
    assert Client().get(f"/join/{secret}/").url == "/join/"
    assert "no-store" in reply.headers["Cache-Control"]
    assert secret not in client.get(people).text + str(dict(client.session))
    invitations.join(str(made.public_id), cast.person(cast.study()).user)
    assert "1 of 3" in client.get(people).text
    client.post(page("revoke_invitation", project, made.public_id))
    assert "taken back" in client.get(people).text
    assert not invitations.is_open(str(made.public_id))


def test_role_and_work_are_changed_but_the_last_manager_stays(client, project, manager):
    def change(member, **sent):
        return client.post(page("person", project, member.user.public_id), sent)

    ada = cast.person(project)
    reply = change(ada, role="researcher", may_judge="on")
    assert reply.url == page("people", project)
    ada.refresh_from_db()
    assert (ada.role, ada.may_correct, ada.may_judge) == (Role.RESEARCHER, False, True)
    reply = change(manager, role="annotator")
    assert reply.status_code == 422
    assert "at least one manager" in reply.text
    cast.person(project, role=Role.MANAGER)
    assert change(manager, role="annotator").url == "/"


@pytest.mark.parametrize(
    ("route", "form"),
    [("add_known_pairs", KnownPairsForm), ("add_qualification_lines", LinesForm)],
)
def test_pairs_are_added_once_by_a_file_or_pasted_and_refused_with_reasons(
    client, project, route, form, monkeypatch
):
    def labels():
        hidden = project.pairs.values_list("known_label", flat=True)
        asked = project.qualification_pairs.values_list("label", flat=True)
        return sorted([*hidden, *asked])

    def send(text, **options):
        return client.post(page(route, project), {"lines": text}, **options)

    for lines in ("", "A b.\tB a.\t1", "\0"):
        reply = send(lines)
        assert (reply.status_code, "errorlist" in reply.text) == (422, True)
    file = SimpleUploadedFile("pairs.tsv", TWO.encode())
    with monkeypatch.context() as patch:
        patch.setattr(form.base_fields["file"], "most", 10)
        assert "too large" in client.post(page(route, project), {"file": file}).text
    assert labels() == []
    file.seek(0)
    for sent in ({"file": file}, {"lines": TWO.replace("\n", "\r\n")}):
        assert client.post(page(route, project), sent).status_code == 302
        assert labels() == [0, 1]
    text = send(TWO + "Only one\nA b.\tB a.\t7\t\n", follow=True).text
    for said in ("Line 4", "not as many columns", "Line 5", "none of this project’s scale"):
        assert said in text
    assert labels() == [0, 1]


def test_a_qualification_pair_is_added_by_hand_previewed_and_removed(client, project):
    add = page("add_qualification_pair", project)
    sent = {"sentence1": "A b.", "sentence2": "B a.", "label": 0, "explanation": "Canarywhy."}
    broken = [("sentence1", ""), ("sentence2", " "), ("label", "2"), ("label", "")]
    for field, value in (*broken, ("sentence1", "a\x07b")):
        assert client.post(add, sent | {field: value}).status_code == 422, field
    client.post(add, sent)
    pair = project.qualification_pairs.get()
    assert (pair.label, pair.explanation) == (0, "Canarywhy.")
    preview = client.get(page("preview_qualification", project, 1)).text
    assert "Preview: nothing is stored." in preview
    assert "A b." in preview
    assert "Canarywhy" not in preview
    assert client.get(page("preview_qualification", project, 2)).status_code == 404
    assert not QualificationAttempt.objects.exists()
    other = cast.study()
    client_of(other).post(page("remove_qualification_pair", other, pair.public_id))
    assert project.qualification_pairs.exists()
    client.post(page("remove_qualification_pair", project, pair.public_id))
    assert not project.qualification_pairs.exists()
