"""Erasing an account: who the person was is gone from every table, and what they answered stays."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils import timezone

from accounts import services, tokens
from accounts.models import AccessToken, AuditEntry, Session, User
from accounts.studies import CannotLeave
from annotation.models import Adjudication, Intervention, Invitation, Skip
from annotation.people.services import invitations, same_person
from annotation.projects.services import projects
from annotation.quality.services import interventions
from annotation.work.skips import skip
from releases.selectors import report
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.accounts.conftest import PASSWORD, session_of, set_up, signed_in, status
from tests.annotation import make
from tests.annotation.filled import filled

pytestmark = pytest.mark.django_db

NAMES = {"email": "nightingale@canary.example", "first_name": "Flora", "last_name": "Canarini"}
NAME = "canary.nightingale"
CANARIES = (NAME, *NAMES.values())


@pytest.fixture
def canary():
    address = NAMES["email"]
    person = User.objects.create_user(NAME, password=PASSWORD, mail_address=address, **NAMES)
    EmailAddress.objects.create(user=person, email=person.email)
    SocialAccount.objects.create(user=person, provider="https://login.example", uid=f"{NAME}-1")
    return person


def invitation(study, root, **more):
    tomorrow = timezone.now() + timedelta(days=1)
    made, _secret = invitations.create(study, by=root, expires_at=tomorrow, **more)
    return str(made.public_id)


def traces():
    """The columns of all tables that have something of the person, and the sessions."""
    found = {"session": [str(session.get_decoded()) for session in Session.objects.all()]}
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_fields:
            cells = model._base_manager.values_list(Cast(field.name, TextField()), flat=True)
            found[f"{model._meta.db_table}.{field.column}"] = [str(cell) for cell in cells]
    return {place for place, texts in found.items() for each in CANARIES if each in str(texts)}


@pytest.mark.both_engines
def test_no_table_holds_a_trace_of_an_erased_person(canary, root):
    study = make.study()
    member = invitations.join(invitation(study, root, note="for Flora"), canary)
    make.pairs(study, 2)
    slot = make.claim(member)
    skip(member.duty("judge"), item=slot.item.public_id, reason="other", note="Yours, Canarini")
    Adjudication.objects.create(pair=slot.item, by=canary, label=1, note="Flora says so")
    interventions.warn(member, by=root, reason="Dear Flora, slow down.")
    same_person.mark(canary, User.objects.create_user("other"), by=root)
    LogEntry.objects.log_actions(
        root.pk, [canary, member], CHANGE, change_message=f"Changed {NAME}."
    )
    tokens.create(user=canary, name=f"{NAME} at home")
    signed_in(NAME)
    assert traces() >= {
        *(
            "accounts_user.username",
            "accounts_user.mail_address",
            "account_emailaddress.email",
            "accounts_accesstoken.name",
        ),
        "socialaccount_socialaccount.uid",
        *("annotation_adjudication.note", "annotation_intervention.reason"),
        *("annotation_invitation.note", "annotation_skip.note", "session"),
        *("django_admin_log.change_message", "django_admin_log.object_repr"),
    }
    services.erase(canary, by=root)
    assert traces() == set()
    assert Skip.objects.values_list("reason", "note").get() == ("other", "")


def test_an_erased_account_is_closed_for_good_on_record(canary, root):
    canary.groups.add(Group.objects.create(name="Helpers"))
    canary.user_permissions.add(Permission.objects.first())
    User.objects.filter(pk=canary.pk).update(is_staff=True, is_superuser=True)
    set_up(canary)
    member = projects.add_member(make.study(), canary)
    former, token = canary.public_id, tokens.create(user=canary)
    browsers = [session_of(canary), session_of(root)]
    assert [each.get("/").status_code for each in browsers] == [200, 200]
    services.erase(canary, by=root)
    assert [each.get("/").status_code for each in browsers] == [302, 200]
    assert (status(token), AccessToken.objects.count()) == (401, 0)
    assert (canary.username[:7], canary.public_id == former) == ("erased-", False)
    rights = (canary.is_active, canary.is_staff, canary.is_superuser)
    assert (*rights, canary.has_usable_password()) == (False, False, False, False)
    for gone in (canary.groups, canary.user_permissions, canary.authenticator_set):
        assert not gone.exists()
    member.refresh_from_db()
    assert member.paused_at is not None
    with pytest.raises(ValueError, match="erased"):
        services.password_link(user=canary)
    with pytest.raises(ValueError, match="cannot sign in"):
        tokens.create(user=canary)
    entry = AuditEntry.objects.first()
    assert (entry.act, entry.by, entry.public_id) == ("account-erased", root, canary.public_id)
    before = (canary.username, canary.erased_at)
    services.erase(canary, by=canary)
    assert (canary.username, canary.erased_at) == before


def test_the_last_administrator_and_the_only_manager_of_a_project_stay(canary, root):
    study = make.study()
    closed = User.objects.create_superuser("closed", is_active=False)
    for person in (canary, closed):
        projects.add_member(study, person, role="manager")
    for person, why in ((root, "last administrator"), (canary, study.name)):
        with pytest.raises(CannotLeave, match=why):
            services.erase(person, by=person)
        assert User.objects.get(pk=person.pk).is_active
    User.objects.create_superuser("second")
    make.person(study, role="manager")
    for person in (root, canary):
        services.erase(person, by=person)
        assert person.erased_at is not None


@pytest.mark.both_engines
def test_what_the_person_holds_goes_to_others(canary):
    study = make.study()
    make.pairs(study, 1)
    make.candidates(study, [("Ada met Bo.", "Bo met Ada.")])
    member = projects.add_member(study, canary)
    pair, candidate = make.claim(member).item, make.claim(member, "correct")
    services.erase(canary, by=canary)
    assert make.claim(make.person(study, kinds=["correct"]), "correct").pk == candidate.pk
    for _ in range(5):
        assert make.claim(make.person(study)).item == pair


def test_what_is_noted_about_others_stays_and_the_history_is_renamed_by_whole_words(ada, root):
    study = make.study()
    projects.add_member(study, root, role="manager")
    member = projects.add_member(study, ada, role="manager")
    interventions.warn(make.person(study), by=ada, reason="Please take your time.")
    interventions.pause(member, by=root, reason="You were away.")
    offer = invitation(make.study(), root, most_people=2, note="Autumn term")
    for person in (ada, other := User.objects.create_user("adam")):
        invitations.join(offer, person)
    LogEntry.objects.log_actions(root.pk, [other], CHANGE, change_message="Not ada, adam.")
    services.erase(ada, by=ada)
    reasons = dict(Intervention.objects.values_list("kind", "reason"))
    assert reasons == {"warn": "Please take your time.", "pause": "Erased with the account."}
    assert Invitation.objects.get().note == "Autumn term"
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.change_message) == ("adam", f"Not {ada.username}, adam.")


def test_figures_and_files_are_the_same_and_new_releases_hold_no_trace(tmp_path, settings):
    settings.RELEASES_DIR = tmp_path / "releases"
    study = filled()
    judge = study.judges[0].user
    User.objects.filter(pk=judge.pk).update(username=NAME, **NAMES)
    judge.refresh_from_db()
    former = str(judge.public_id)
    before, files = report.report_of_project(study.project), written(folder_of(study.release))
    services.erase(judge, by=judge)
    after = repr(report.report_of_project(study.project))
    assert after == repr(before).replace(NAME, judge.username)
    publication.write_files(study.release, tmp_path / "again")
    assert written(tmp_path / "again") == files
    release = freeze_version(study.project, version="2.0", dev=0, test=0)
    publication.write_files(release, tmp_path / "new")
    files = written(tmp_path / "new")
    assert len(files["judgments.jsonl"].splitlines()) == 5
    everything = b"".join(files.values())
    for canary in (*CANARIES, judge.username, former):
        assert canary.encode() not in everything


def written(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
