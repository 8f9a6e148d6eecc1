"""What administrators change: projects, places, pauses, the order of the queue, and by files."""

import json

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import User
from annotation.known_lines import KnownPair
from annotation.models import (
    Correction,
    Intervention,
    Invitation,
    Membership,
    Project,
    QualificationPair,
    SentencePair,
)
from annotation.services import known_pairs
from tests.annotation import cast
from tests.annotation.admin.visits import act, page

pytestmark = pytest.mark.django_db
CSV, JSON = 0, 1
NO_PEOPLE = {"memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}


@pytest.fixture
def save(root):
    """Send a project's form as the browser would, with some fields changed."""

    def save(project, **changes):
        address = page(Project, "change", project.pk)
        shown = root.get(address).context["adminform"].form
        form = {name: value for name, value in shown.initial.items() if name in shown.fields}
        form |= {"runs": [run.pk for run in form.get("runs", [])]} | changes
        kept = {name: value for name, value in form.items() if value is not None}
        reply = root.post(address, kept | NO_PEOPLE)
        project.refresh_from_db()
        return reply.context["adminform"].form.errors if reply.status_code == 200 else None

    return save


def test_a_protocol_and_its_runs_stand_once_there_are_pairs(study, save):
    project = cast.study()
    assert "__all__" in save(project, judgments_per_pair=3, consensus_min_votes=4)
    save(project, judgments_per_pair=3, consensus_min_votes=2)
    assert (project.judgments_per_pair, project.consensus_min_votes) == (3, 2)
    filled = Project.objects.get(pk=study.project.pk)
    save(filled, judgments_per_pair=3, corrected_methods=[], lease_minutes=5)
    assert (filled.lease_minutes, filled.judgments_per_pair) == (5, 5)
    assert filled.corrected_methods == ["word_swap"]
    assert "runs" in save(filled, runs=[])
    known_pairs.add(project, [KnownPair("Ada saw Bo.", "Bo saw Ada.", 0)])
    hidden = project.pairs.get().candidate.run
    assert "hidden pairs" in str(save(project, runs=[hidden.pk])["runs"])


def test_a_consent_text_keeps_the_date_of_its_last_change(save):
    project, dates = cast.study(), []
    for changes in ({"consent": "I agree."}, {"pass_mark": 90}, {"consent": "Yes\r\nto all."}):
        save(project, **changes)
        dates.append(project.consent_changed_at)
    assert project.consent == "Yes\nto all."
    assert dates[0] == dates[1] < dates[2]
    save(project, consent="")
    assert project.consent_changed_at is None


def test_the_qualification_set_binds_the_admin_too(save):
    project = cast.study(max_label=3)
    assert "asks_qualification" in save(project, asks_qualification="on")
    pair = {"position": 1, "sentence1": "A", "sentence2": "B", "label": 3}
    QualificationPair.objects.create(project=project, **pair)
    assert "max_label" in save(project, max_label=2)


def test_projects_are_closed_and_opened_together_and_on_record(study, root):
    other = cast.study()
    act(root, "close_projects", study.project, other)
    assert not Project.objects.filter(is_open=True).exists()
    assert LogEntry.objects.filter(user__username="root").count() == 2
    act(root, "open_projects", other)
    assert list(Project.objects.filter(is_open=True)) == [other]


def test_places_are_changed_and_taken_without_touching_the_queue(study, root):
    recorded, judge, *_ = study.judges
    Membership.objects.filter(pk=judge.pk).update(judgment_place=7)
    root.post(page(Membership, "change", judge.pk), {"role": "researcher", "may_judge": "on"})
    changed = Membership.objects.get(pk=judge.pk)
    assert (changed.role, changed.user, changed.judgment_place) == ("researcher", judge.user, 7)
    for each in (judge, recorded):
        root.post(page(Membership, "delete", each.pk), {"post": "yes"})
    assert not Membership.objects.filter(pk=judge.pk).exists()
    assert Membership.objects.filter(pk=recorded.pk).exists()  # with its interventions


def test_people_are_paused_and_resumed_with_a_reason_on_record(study, root):
    judges = study.judges[:2]
    assert "Say why, in words for the annotator." in act(root, "pause", judges[0]).text
    assert "2 of 2 paused." in act(root, "pause", *judges, reason="Please wait.").text
    assert "1 of 1 resumed." in act(root, "resume", judges[0], reason="Welcome.").text
    assert "1 of 2 resumed." in act(root, "resume", *judges, reason="Welcome.").text
    steps = Intervention.objects.filter(kind="pause").order_by("membership")
    assert [(step.membership, step.reason, step.by.username) for step in steps] == [
        (judge, "Please wait.", "root") for judge in judges
    ]


def test_an_invitation_is_revoked_and_its_digest_shown_nowhere(root):
    invitation = Invitation.objects.get()
    reply = act(root, "revoke", invitation)
    assert "1 invitations revoked." in reply.text
    for text in (reply.text, root.get(page(Invitation, "change", invitation.pk)).text):
        assert invitation.digest not in text
    assert Invitation.objects.get().revoked_at is not None


def test_items_are_given_out_sooner_or_later_and_put_back(study, root):
    cast.pairs(other := cast.study(), 1)
    pairs = [SentencePair.objects.get(pk=study.open.pk), other.pairs.get()]
    cast.candidates(study.project, [("Old.", "New.")])
    for rows in (pairs, [Correction.objects.get(action=None)]):
        for action, level in (("first", 1), ("last", -1), ("normally", 0)):
            reply = act(root, action, *rows)
            assert f"{len(rows)} of {len(rows)} changed." in reply.text
            for row in rows:
                row.refresh_from_db()
                assert row.priority == level
    SentencePair.objects.filter(pk=study.open.pk).update(set_aside_at=timezone.now())
    assert "1 of 1 changed." in act(root, "put_back", study.open).text
    assert SentencePair.objects.get(pk=study.open.pk).set_aside_at is None


def send(client, model, text, kind=CSV):
    file = SimpleUploadedFile("rows.csv" if kind == CSV else "rows.json", text.encode())
    return client.post(page(model, "import"), {"import_file": file, "format": kind})


def export(client, model, kind=CSV):
    reply = client.post(page(model, "export"), {"format": kind})
    assert reply.status_code == 200
    return reply.text


COLUMNS = "project,user,role,may_correct,may_judge\n"


def test_places_come_by_a_file_all_of_it_or_nothing(study, root):
    User.objects.create_user("newcomer")
    name, judge = study.project.name, Membership.objects.get(pk=study.judges[0].pk)
    user = judge.user.username
    good = COLUMNS + f"{name},newcomer,researcher,0,1\n"
    for line in (
        f"{name},nobody,annotator,1,1",
        f"No such project,{user},annotator,1,1",
        f"{name},{user},emperor,1,1",
        f"{name},{user},annotator,perhaps,1",
        f"{name},{user},annotator,,1",
    ):
        reply = send(root, Membership, f"{good}{line}\n")
        assert reply.status_code == 200, line
        assert "Nothing was imported" in reply.text
    assert "Nothing was imported" in send(root, Membership, "name\nAda\n").text
    for text in ("", "[", '{"a": 1}', "[[["):
        reply = send(root, Membership, text, JSON)
        assert "import_file" in reply.context["form"].errors
    assert not Membership.objects.filter(user__username="newcomer").exists()
    assert send(root, Membership, f"{good}{name},{user},annotator,1,0\n").status_code == 302
    place = Membership.objects.get(user__username="newcomer")
    assert (place.role, place.may_correct, place.may_judge) == ("researcher", False, True)
    changed = Membership.objects.get(pk=judge.pk)
    assert (changed.may_judge, changed.judgment_place) == (False, judge.judgment_place)


def test_what_was_exported_comes_back_unchanged_and_no_cell_is_a_formula(study, root):
    sentences = ('=HYPERLINK("x")', "'quoted, -1")
    QualificationPair.objects.update(sentence1=sentences[0], sentence2=sentences[1])
    for kind in (CSV, JSON):
        text = export(root, QualificationPair, kind)
        assert ("'=HYPERLINK" in text) == (kind == CSV)
        QualificationPair.objects.all().delete()
        assert send(root, QualificationPair, text, kind).status_code == 302
        pair = QualificationPair.objects.get()
        assert (pair.sentence1, pair.sentence2) == sentences


def test_qualification_pairs_are_checked_in_files(study, root):
    row = {"project": study.project.name, "position": 2, "sentence1": "A b.", "sentence2": "B a."}
    for changes, said in (
        ({"label": 2}, "labels from 0 to 1"),
        ({"sentence2": "a\u0000b"}, "characters that are no text"),
        ({"sentence1": "a\nb"}, "line_break"),
        ({"position": -1}, "position"),
    ):
        text = json.dumps([row | {"label": 1, "explanation": ""} | changes])
        assert said in send(root, QualificationPair, text, JSON).text
    assert QualificationPair.objects.count() == 1


def test_who_may_only_look_exports_and_changes_nothing(study):
    viewer = User.objects.create_user("viewer", is_staff=True)
    names = ["view_membership", "view_qualificationpair", "view_sentencepair"]
    viewer.user_permissions.set(Permission.objects.filter(codename__in=names))
    client = Client()
    client.force_login(viewer)
    for action, row in (("pause", study.judges[0]), ("resume", study.judges[0])):
        act(client, action, row, reason="Because.")
        assert not Intervention.objects.filter(kind=action).exists()
    act(client, "first", study.open)
    assert SentencePair.objects.get(pk=study.open.pk).priority == 0
    for model in (Membership, QualificationPair):
        assert export(client, model)
        assert client.get(page(model, "import")).status_code == 403
        assert send(client, model, "project\nx\n").status_code == 403
        assert client.post(page(model, "process_import")).status_code == 404
