"""What administrators change: projects, places, pauses, the order of the queue, and by files."""

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from annotation.known_lines import KnownPair
from annotation.models import (
    Intervention,
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
