"""What administrators change: projects, places, pauses, the order of the queue, and by files."""

import json

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
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
from tests.annotation.admin.visits import act, page, viewer_of

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


def test_a_protocol_can_be_changed_until_there_are_pairs(study, save):
    project = cast.study()
    assert "__all__" in save(project, judgments_per_pair=3, consensus_min_votes=4)
    save(project, judgments_per_pair=3, consensus_min_votes=2)
    assert (project.judgments_per_pair, project.consensus_min_votes) == (3, 2)
    filled = Project.objects.get(pk=study.project.pk)
    save(filled, judgments_per_pair=3, seed=9, corrected_methods=[], lease_minutes=5)
    assert filled.lease_minutes == 5
    assert (filled.judgments_per_pair, filled.seed) == (5, 0)
    assert filled.corrected_methods == ["word_swap"]


def test_a_run_that_has_entered_stays_and_one_of_hidden_pairs_never_enters(study, save):
    filled, other = Project.objects.get(pk=study.project.pk), cast.study()
    assert "runs" in save(filled, runs=[])
    assert filled.runs.count() == 2
    known_pairs.add(other, [KnownPair("Ada saw Bo.", "Bo saw Ada.", 0)])
    hidden = SentencePair.objects.get(project=other).candidate.run
    assert "hidden pairs" in str(save(other, runs=[hidden.pk])["runs"])


def test_a_consent_text_keeps_the_date_of_its_last_change(root, save):
    project = cast.study()
    save(project, consent="I agree.")
    first = project.consent_changed_at
    assert first is not None
    save(project, pass_mark=90)
    assert project.consent_changed_at == first
    save(project, consent="I agree\r\nto all.")
    assert project.consent_changed_at > first
    assert project.consent == "I agree\nto all."
    save(project, consent="")
    assert project.consent_changed_at is None
    shown = root.get(page(Project, "add")).context["adminform"].form
    form = {name: shown[name].value() for name in shown.fields}
    form |= {"name": "New", "consent": "I agree.", "asks_qualification": None} | NO_PEOPLE
    sent = {name: value for name, value in form.items() if value is not None}
    root.post(page(Project, "add"), sent)
    assert Project.objects.get(name="New").consent_changed_at is not None


def test_the_qualification_set_binds_the_admin_too(save):
    project = cast.study(max_label=3)
    assert "asks_qualification" in save(project, asks_qualification="on")
    QualificationPair.objects.create(
        project=project, position=1, sentence1="A", sentence2="B", label=3
    )
    assert "max_label" in save(project, max_label=2)


def test_projects_count_what_they_hold_and_are_closed_and_opened_on_record(study, root):
    address = page(Project, "change", study.project.pk)
    assert "4 of 5, labels 0–1" in root.get(page(Project, "changelist")).text
    reply = root.get(address)
    assert "1 decided, 1 kept" in reply.text
    assert reply.context["inline_admin_formsets"]
    people = User.objects.bulk_create(User(username=f"crowd-{n}") for n in range(100))
    Membership.objects.bulk_create(Membership(project=study.project, user=user) for user in people)
    assert not root.get(address).context["inline_admin_formsets"]  # a crowd is not on it
    other = cast.study()
    act(root, "close_projects", study.project, other)
    assert not Project.objects.filter(is_open=True).exists()
    assert LogEntry.objects.filter(user__username="root").count() == 2
    act(root, "open_projects", other)
    assert list(Project.objects.filter(is_open=True)) == [other]


def test_places_are_given_changed_and_taken_without_touching_the_queue(study, root):
    newcomer = User.objects.create_user("newcomer")
    place = {"project": study.project.pk, "user": newcomer.pk, "role": "annotator"}
    root.post(page(Membership, "add"), place | {"may_judge": "on"})
    member = Membership.objects.get(user=newcomer)
    assert (member.may_correct, member.may_judge) == (False, True)
    recorded, judge, *_ = study.judges
    Membership.objects.filter(pk=judge.pk).update(judgment_place=7)
    root.post(page(Membership, "change", judge.pk), {"role": "researcher", "may_judge": "on"})
    changed = Membership.objects.get(pk=judge.pk)
    assert (changed.role, changed.user_id, changed.judgment_place) == (
        "researcher",
        judge.user_id,
        7,
    )
    for each in (judge, recorded):
        root.post(page(Membership, "delete", each.pk), {"post": "yes"})
    assert not Membership.objects.filter(pk=judge.pk).exists()
    assert Membership.objects.filter(pk=recorded.pk).exists()  # with its interventions


def test_people_are_paused_and_resumed_with_a_reason_on_record(study, root):
    judges = study.judges[:2]
    reply = act(root, "pause", judges[0])
    assert "0 of 1 paused." in reply.text
    assert "Say why, in words for the annotator." in reply.text
    assert "2 of 2 paused." in act(root, "pause", *judges, reason="Please wait.").text
    assert "1 of 1 resumed." in act(root, "resume", judges[0], reason="Welcome.").text
    assert "1 of 2 resumed." in act(root, "resume", *judges, reason="Welcome.").text
    steps = Intervention.objects.filter(kind="pause").order_by("membership")
    assert [(step.membership, step.reason, step.by.username) for step in steps] == [
        (judge, "Please wait.", "root") for judge in judges
    ]
    assert Intervention.objects.filter(kind="resume").count() == 2
    assert not Membership.objects.filter(paused_at__isnull=False).exists()


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


def test_who_may_only_look_exports_and_changes_nothing(study):
    models = (Membership, QualificationPair, SentencePair)
    viewer = viewer_of(*models)
    for model in models:
        assert viewer.get(page(model, "changelist")).status_code == 200
    for action in ("pause", "resume"):
        act(viewer, action, study.judges[0], reason="Because.")
        assert not Intervention.objects.filter(kind=action).exists()
    act(viewer, "first", study.open)
    assert SentencePair.objects.get(pk=study.open.pk).priority == 0
    for model in models[:2]:
        assert viewer.post(page(model, "export"), {"format": CSV}).status_code == 200
        assert viewer.get(page(model, "import")).status_code == 403
        assert send(viewer, model, "project\nx\n").status_code == 403
        assert viewer.post(page(model, "process_import")).status_code == 404


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
    offered = root.get(page(Membership, "import")).context["fields_list"][0][1]
    assert offered == COLUMNS.strip().split(",")
    text = export(root, Membership)
    assert "paused_at" in text.splitlines()[0]
    assert send(root, Membership, text.replace(",1,1,", ",1,0,", 1)).status_code == 302
    assert Membership.objects.filter(may_judge=False).count() == 1


def test_qualification_pairs_are_checked_in_files_as_in_forms(study, root):
    row = {"project": study.project.name, "position": 2, "sentence1": "A b.", "sentence2": "B a."}
    for changes, said in (
        ({"label": 2}, "labels from 0 to 1"),
        ({"sentence1": ""}, "sentence1"),
        ({"sentence2": "a\u0000b"}, "characters that are no text"),
        ({"sentence1": "a\nb"}, "line_break"),
        ({"position": -1}, "position"),
    ):
        text = json.dumps([row | {"label": 1, "explanation": ""} | changes])
        reply = send(root, QualificationPair, text, JSON)
        assert reply.status_code == 200
        assert said in reply.text
    pair = QualificationPair.objects.get()
    form = {"project": study.project.pk, "position": 1, "sentence1": "A", "sentence2": "B"}
    reply = root.post(page(QualificationPair, "change", pair.pk), form | {"label": 2})
    assert "labels from 0 to 1" in reply.text
