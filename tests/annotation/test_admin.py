"""The admin: pages open, promises are kept, and what administrators change by hand and by file."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import AccessToken, AuditEntry, User
from annotation import models
from annotation.models import Intervention, Item, Judgment, Membership, Project, SentencePair
from annotation.pairs.labelled_lines import GoldPair
from annotation.people.services import invitations, same_person
from annotation.quality.services import gold_pairs, interventions
from annotation.seals import services as seals
from evaluation.models import Evaluation
from generation.models import Batch, Candidate, Corpus, GenerationRun, Reply, Sentence
from releases.models import Comparison, Example, Release
from support.studies import recruit
from tests.annotation import judged, make
from tests.annotation.filled import filled

pytestmark = pytest.mark.django_db
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
PROMISES = [
    *(AuditEntry, Batch, Candidate, GenerationRun, Intervention, Item, Judgment, Reply, Sentence),
    *(
        models.AnnotatorQuestion,
        models.Adjudication,
        models.Consensus,
        models.Correction,
        Example,
        models.Import,
    ),
    *(models.JudgingModel, Evaluation),
    *(models.ModelJudgment, models.Intake, models.Invitation, models.QualificationAnswer),
    *(models.QualificationAttempt, models.Recusal, Comparison, Release, models.Reopening),
    *(models.Recruitment, models.SamePerson, models.Seal, SentencePair, models.Skip),
]
CSV, JSON = 0, 1
COLUMNS = "project,user,role,kinds\n"
NO_PEOPLE = {"memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}


@pytest.fixture(scope="module")
def study(module_db, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "RELEASES_DIR", tmp_path_factory.mktemp("releases"))
        study = filled()
        judge, by, pair, now = study.judges[0], study.corrector.user, study.decided, timezone.now()
        of = {"project": study.project}
        Group.objects.create(name="Helpers")
        AccessToken.objects.create(user=by)
        invitations.create(study.project, by=by, expires_at=now + timedelta(days=1))
        recruit(study.project, by=by)
        asked = models.QualificationPair.objects.create(
            position=1, sentence1="Ada met Bo.", sentence2="Bo met Ada.", label=1, **of
        )
        attempt = models.QualificationAttempt.objects.create(membership=judge, number=1)
        models.QualificationAnswer.objects.create(attempt=attempt, pair=asked, label=0)
        models.AnnotatorQuestion.objects.create(
            number=1, title="Age", text="How old?", choices=["young", "old"], **of
        )
        models.Adjudication.objects.create(pair=pair, by=by, label=0)
        file = {"name": "a.csv", "size": 1, "layout": {}, "kind": "sentences"}
        models.Import.objects.create(**file, **of)
        again = {"number": 2, "tally": [3, 2], "decided_at": now}
        models.Reopening.objects.create(pair=pair, by=by, **again)
        model = models.JudgingModel.objects.create(name="a-model", **of)
        models.ModelJudgment.objects.create(model=model, pair=pair, label=1, score=0.9)
        interventions.warn(judge, by=by, reason="Please read slowly.")
        models.Skip.objects.create(annotator=judge.user, item=study.open, reason="unclear", **of)
        same_person.mark(*(each.user for each in study.judges[3:5]), **of)
        Comparison.objects.create(release=study.release, sample=1, taught=0, seed=0, **of)
        asked = {"experiment": "plain", "names": ["never"], "asked_at": now}
        Evaluation.objects.create(release=study.release, **asked)
        counts = {"tokens_in": 9, "tokens_out": 9, "estimated": False, "cost": 0, "seconds": 0.5}
        run = study.project.runs.first()
        Reply.objects.create(
            digest=run.public_id, spent_by=run.public_id, model="local:small", **counts
        )
        seals.seal_waiting()
        yield study


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(scope="module")
def root(study):
    return client_of(User.objects.create_superuser("root"))


def page(model, name, *args):
    options = model._meta
    return reverse(f"admin:{options.app_label}_{options.model_name}_{name}", args=args)


def act(client, action, row, **fields):
    """Choose a row of a table and do something with it."""
    chosen = {"action": action, "_selected_action": [row.pk], **fields}
    client.post(page(type(row), "changelist"), chosen, follow=True)


def test_every_page_opens_with_rows_and_can_be_searched_and_filtered(root, subtests):
    for model in MODELS:
        with subtests.test(model._meta.label):
            row, table = model._default_manager.first(), page(model, "changelist")
            may_add = model not in (*PROMISES, AccessToken)
            assert root.get(page(model, "change", row.pk)).status_code == 200
            assert root.get(page(model, "history", row.pk)).status_code == 200
            assert root.get(page(model, "add")).status_code == (200 if may_add else 403)
            for words in ("met", "00000000-0000-4000-8000-000000000000", "no 'such\" thing"):
                assert root.get(table, {"q": words}).status_code == 200, words
            shown = root.get(table).context["cl"]
            for each in shown.filter_specs:
                _, second, *others = each.choices(shown)  # the first is everything
                for choice in (second, *others[-1:]):
                    address = table + choice["query_string"]
                    assert root.get(address).status_code == 200, address


def test_filters_show_the_rows_that_they_name(study, root):
    def shown(model, query):
        return root.get(f"{page(model, 'changelist')}?{query}").context["cl"].result_count

    # One pair is kept as different, by five answers; the other is open.
    numbers = {"open": 1, "decided": 1, "kept": 1, "low": 0}
    assert {state: shown(SentencePair, f"consensus={state}") for state in numbers} == numbers
    assert [shown(SentencePair, f"gold={each}") for each in ("yes", "no")] == [0, 2]
    answered = [shown(Judgment, f"slot={state}") for state in ("answered", "in_progress", "free")]
    assert answered == [5, 0, 5]
    interventions.exclude(study.judges[0], by=study.corrector.user, reason="At random.")
    assert shown(Judgment, "excluded=yes") == 1


def test_promises_and_what_they_hang_on_are_neither_edited_nor_deleted(study, root):
    for model in PROMISES:
        row = model._default_manager.first()
        assert root.post(page(model, "change", row.pk), {}).status_code == 403, model
        assert root.post(page(model, "delete", row.pk), {"post": "yes"}).status_code == 403, model
        act(root, "delete_selected", row, post="yes")
        assert model._default_manager.filter(pk=row.pk).exists(), model
    before = list(Judgment.objects.order_by("pk").values())
    for row in (study.judges[0].user, study.project):
        root.post(page(type(row), "delete", row.pk), {"post": "yes"})
        assert type(row)._default_manager.filter(pk=row.pk).exists()
    assert list(Judgment.objects.order_by("pk").values()) == before


def test_promises_have_no_page_of_their_own_in_the_admin():
    of_django = {url.name for url in admin.ModelAdmin(Group, admin.site).get_urls()}
    of_django = {str(name).removeprefix("auth_group_") for name in of_django}
    for model in PROMISES:
        prefix = f"{model._meta.app_label}_{model._meta.model_name}_"
        names = {str(url.name) for url in admin.site._registry[model].get_urls()}
        assert {name.removeprefix(prefix) for name in names} == of_django, model


def test_the_admin_is_for_the_staff_who_sign_in_on_the_one_page(study):
    reply = Client().get(reverse("admin:login"))
    assert (reply.status_code, reply.url.split("?")[0]) == (302, reverse("account_login"))
    client = client_of(study.corrector.user)
    assert client.get(reverse("admin:login")).status_code == 403
    assert client.get(page(Judgment, "changelist")).status_code == 302


def statements(client, model):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(page(model, "changelist")).status_code == 200
    return len(captured)


def test_no_table_costs_more_for_more_rows(study, root):
    root.get(reverse("admin:index"))
    Comparison.objects.all().delete()  # it would refuse more pairs
    before = {model: statements(root, model) for model in MODELS}
    project, corrector = study.project, make.person(study.project)
    make.candidates(project, [(f"Old {n}.", f"New {n}.") for n in range(20)])
    for _ in range(20):
        make.correct_next(corrector)
    for judge in judged.all_that_is_open(project, [1] * 5):
        skipped = {"annotator": judge.user, "item": study.open, "reason": "unclear"}
        models.Skip.objects.create(project=project, **skipped)
    assert {model: statements(root, model) for model in MODELS} == before
    assert max(before.values()) <= 15


def save(client, project, **changes):
    """Send a project's form as the browser would, with some fields changed; returns its errors."""
    address = page(Project, "change", project.pk)
    shown = client.get(address).context["adminform"].form
    form = {name: value for name, value in shown.initial.items() if name in shown.fields}
    form |= {name: [row.pk for row in form.get(name, [])] for name in ("runs", "corpora")}
    form |= {"scheme": shown["scheme"].value()} if "scheme" in form else {}
    form |= changes
    kept = {name: value for name, value in form.items() if value is not None}
    reply = client.post(address, kept | NO_PEOPLE)
    project.refresh_from_db()
    return reply.context["adminform"].form.errors if reply.status_code == 200 else None


def test_a_protocol_and_its_runs_are_fixed_once_there_are_pairs(study, root):
    project = make.study()
    assert "consensus_min_votes" in save(root, project, judgments_per_pair=3, consensus_min_votes=4)
    save(root, project, judgments_per_pair=3, consensus_min_votes=2)
    assert (project.judgments_per_pair, project.consensus_min_votes) == (3, 2)
    filled = Project.objects.get(pk=study.project.pk)
    save(root, filled, judgments_per_pair=3, corrected_methods=[], lease_minutes=5)
    assert (filled.lease_minutes, filled.judgments_per_pair) == (5, 5)
    assert filled.corrected_methods == study.project.corrected_methods
    assert "runs" in save(root, filled, runs=[])
    gold_pairs.add(project, [GoldPair("Ada saw Bo.", "Bo saw Ada.", 0)])
    gold = project.pairs.get().candidate.run
    assert "gold pairs" in str(save(root, project, runs=[gold.pk])["runs"])


def test_corpora_of_a_project_are_chosen_and_those_that_its_runs_rewrite_stay(study, root):
    project, run = make.study(), make.pairs(make.study(), 1)[0].run
    save(root, project, corpora=[Corpus.objects.create(name="hills").pk])
    assert AuditEntry.objects.latest("pk").act == "corpus-added"
    assert save(root, project, corpora=[], runs=[run.pk]) is None
    assert list(project.corpora.all()) == [run.corpus]
    assert "stays" in str(save(root, project, corpora=[])["corpora"])
    assert save(root, project, corpora=[], runs=[]) is None


def test_places_are_changed_without_touching_the_queue_and_stay(study, root):
    judge = study.judges[1]
    judge.duties.update(place=7)
    chosen = {"role": "researcher", "kinds": ["judge"], "despite_votes": "on"}
    root.post(page(Membership, "change", judge.pk), chosen)
    changed = Membership.objects.get(pk=judge.pk)
    assert (changed.role, changed.user, changed.kinds) == ("researcher", judge.user, ["judge"])
    assert {duty.place for duty in changed.duties.all()} == {7}
    assert root.post(page(Membership, "delete", judge.pk), {"post": "yes"}).status_code == 403


def send(client, model, text, kind=CSV):
    file = SimpleUploadedFile("rows.csv" if kind == CSV else "rows.json", text.encode())
    return client.post(page(model, "import"), {"import_file": file, "format": kind})


def export(client, model, kind=CSV):
    reply = client.post(page(model, "export"), {"format": kind})
    assert reply.status_code == 200
    return reply.text


def test_places_come_by_a_file_all_of_it_or_nothing(study, root):
    newcomer = User.objects.create_user("newcomer")
    name, judge = study.project.name, Membership.objects.get(pk=study.judges[0].pk)
    judge.duties.update(place=7)
    user = judge.user.username
    send(root, Membership, f"project,user,role\n{name},{user},annotator\n")
    assert Membership.objects.get(pk=judge.pk).kinds == ["correct", "judge"]
    good = COLUMNS + f"{name},newcomer,researcher,judge\n"
    for text in (
        f"{good}{name},nobody,annotator,judge\n",
        f"{good}No such project,{user},annotator,judge\n",
        f"{good}{name},{user},emperor,judge\n",
        f"{good}{name},{user},annotator,judge perhaps\n",
        "name\nAda\n",
    ):
        reply = send(root, Membership, text)
        assert (reply.status_code, "Nothing was imported" in reply.text) == (200, True), text
    for text in ("", "[", '{"a": 1}', "[[["):
        reply = send(root, Membership, text, JSON)
        assert "import_file" in reply.context["form"].errors
    assert not newcomer.memberships.exists()
    assert send(root, Membership, f"{good}{name},{user},annotator,correct\n").status_code == 302
    place = newcomer.memberships.get()
    assert (place.role, place.kinds) == ("researcher", ["judge"])
    changed = Membership.objects.get(pk=judge.pk)
    assert (changed.kinds, changed.duty("judge").place) == (["correct"], 7)


def test_what_was_exported_comes_back_unchanged_and_no_cell_is_a_formula(root):
    sentences = ('=HYPERLINK("x")', "'quoted, -1")
    pairs = models.QualificationPair.objects
    pairs.update(sentence1=sentences[0], sentence2=sentences[1])
    for kind in (CSV, JSON):
        text = export(root, pairs.model, kind)
        assert ("'=HYPERLINK" in text) == (kind == CSV)
        pairs.all().delete()
        assert send(root, pairs.model, text, kind).status_code == 302
        assert pairs.values_list("sentence1", "sentence2").get() == sentences


def test_actions_on_chosen_rows_take_effect(study, root):
    judge, invitation = study.judges[1], models.Invitation.objects.get()
    act(root, "undo", models.SamePerson.objects.get())
    assert not User.objects.filter(main_account__isnull=False).exists()
    for reason in ("", "Too fast."):  # the first is refused: a step needs a reason
        act(root, "pause", judge, reason=reason)
    act(root, "resume", judge, reason="Well explained.")
    assert list(judge.interventions.values_list("kind", flat=True)) == ["pause", "resume"]
    rows = study.open, Item.objects.get(project=study.project, kind="correct")
    for name, level in (("first", 1), ("last", -1), ("normally", 0)):
        for row in rows:
            act(root, name, row)
            assert Item.objects.get(pk=row.pk).priority == level
    for row in rows:
        Item.objects.filter(pk=row.pk).update(set_aside_at=timezone.now())
        act(root, "put_back", row)
        assert Item.objects.get(pk=row.pk).set_aside_at is None
    for name, is_open in (("close_projects", False), ("open_projects", True)):
        act(root, name, study.project)
        assert Project.objects.get(pk=study.project.pk).is_open == is_open
    act(root, "revoke", invitation)
    assert not invitations.is_open(str(invitation.public_id))


def test_people_who_may_only_look_export_and_change_nothing(study):
    viewer = User.objects.create_user("viewer", is_staff=True)
    names = ["view_membership", "view_qualificationpair", "view_sentencepair"]
    viewer.user_permissions.set(Permission.objects.filter(codename__in=names))
    client = client_of(viewer)
    for action in ("pause", "resume"):
        act(client, action, study.judges[0], reason="Because.")
        assert not Intervention.objects.filter(kind=action).exists()
    act(client, "first", study.open)
    assert SentencePair.objects.get(pk=study.open.pk).priority == 0
    for model in (Membership, models.QualificationPair):
        assert export(client, model)
        assert client.get(page(model, "import")).status_code == 403
        assert send(client, model, "project\nx\n").status_code == 403
        assert client.post(page(model, "process_import")).status_code == 404
