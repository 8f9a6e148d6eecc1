"""Erasing an account: who the person was is gone from every table, and what they answered stays."""

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import erasure, services, tokens
from accounts.models import AccessToken, User
from accounts.studies import CannotLeave
from annotation.models import (
    Adjudication,
    Correction,
    Intervention,
    Invitation,
    Judgment,
    Membership,
    Skip,
)
from annotation.selectors import report
from annotation.selectors.releases import folder_of
from annotation.services import (
    corrections,
    interventions,
    invitations,
    judgments,
    projects,
    same_person,
    skips,
)
from annotation.services import releases as release_services
from tests.annotation import cast
from tests.annotation.filled import filled

pytestmark = pytest.mark.django_db

NAME, MAIL, FIRST, LAST = (
    "canary.nightingale",
    "nightingale@canary.example",
    "Florentia",
    "Canarini",
)
CANARIES = (NAME, MAIL, FIRST, LAST)


@pytest.fixture
def root():
    return User.objects.create_superuser("root")


@pytest.fixture
def canary():
    person = User.objects.create_user(
        NAME, email=MAIL, first_name=FIRST, last_name=LAST, password="only-for-tests"
    )
    EmailAddress.objects.create(user=person, email=MAIL)
    return person


def texts():
    """Every cell of every table of ours, Django's and allauth's, as text."""
    for model in apps.get_models(include_auto_created=True):
        columns = [field.column for field in model._meta.local_fields]
        with connection.cursor() as cursor:
            quoted = ", ".join(map(connection.ops.quote_name, columns))
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT {quoted} FROM {table}")
            for row in cursor:
                for column, cell in zip(columns, row, strict=True):
                    yield f"{model._meta.db_table}.{column}", str(cell)


def traces():
    found = {(place, canary) for place, text in texts() for canary in CANARIES if canary in text}
    decoded = [str(session.get_decoded()) for session in Session.objects.all()]
    return found | {("session", canary) for canary in CANARIES if any(canary in s for s in decoded)}


def signed_in(person):
    """A browser in which somebody has filled in the sign-in page."""
    client = Client()
    client.post("/accounts/login/", {"login": person.username, "password": "only-for-tests"})
    assert client.get("/").status_code == 200
    return client


def test_nothing_in_any_table_tells_who_it_was(canary, root):
    study = cast.study()
    _, secret = invitations.create(
        study, by=root, expires_at=timezone.now() + timezone.timedelta(days=1), note=f"for {FIRST}"
    )
    member = invitations.accept(secret, canary)
    cast.pairs(study, 2)
    slot = judgments.claim(member)
    skips.pair(member, pair=slot.pair.public_id, reason="other", note=f"Yours, {LAST}")
    Adjudication.objects.create(pair=slot.pair, by=canary, label=1, note=f"{FIRST} says so")
    interventions.warn(member, by=root, reason=f"Dear {FIRST}, slow down.")
    same_person.mark(canary, User.objects.create_user("other"), by=root)
    LogEntry.objects.log_actions(root.pk, [canary, member], CHANGE, change_message="Changed.")
    tokens.create(user=canary, name=f"{NAME} at home")
    signed_in(canary)
    assert {place for place, _ in traces()} >= {
        "accounts_user.username",
        "account_emailaddress.email",
        "accounts_accesstoken.name",
        "annotation_adjudication.note",
        "annotation_intervention.reason",
        "annotation_invitation.note",
        "annotation_skip.note",
        "django_admin_log.change_message",
        "django_admin_log.object_repr",
        "session",
    }

    erasure.erase(canary, by=root)

    assert traces() == set()


def test_the_account_is_closed_and_called_by_chance(canary):
    canary.groups.add(Group.objects.create(name="Helpers"))
    canary.user_permissions.add(Permission.objects.first())
    User.objects.filter(pk=canary.pk).update(is_staff=True)
    former = canary.public_id

    erasure.erase(canary, by=None)

    assert canary.username.startswith("erased-")
    assert canary.public_id != former
    assert {canary.is_active, canary.is_staff, canary.is_superuser} == {False}
    assert not canary.has_usable_password()
    assert {canary.groups.count(), canary.user_permissions.count()} == {0}
    assert canary.erased_at is not None


def test_sessions_and_tokens_of_the_person_end_and_those_of_others_go_on(canary, root):
    theirs, others = signed_in(canary), Client()
    others.force_login(root)
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {tokens.create(user=canary)}")

    erasure.erase(canary, by=root)

    assert theirs.get("/").status_code == 302
    assert others.get("/").status_code == 200
    assert program.get("/api/projects/").status_code == 401
    assert not AccessToken.objects.exists()


def test_nobody_comes_in_by_an_erased_account_again(canary):
    erasure.erase(canary, by=None)

    with pytest.raises(ValueError, match="erased"):
        services.password_link(user=canary)
    with pytest.raises(ValueError, match="cannot sign in"):
        tokens.create(user=canary)


def test_to_erase_twice_is_to_erase_once(canary):
    erasure.erase(canary, by=None)
    name, at = canary.username, canary.erased_at

    erasure.erase(canary, by=None)

    assert (canary.username, canary.erased_at) == (name, at)


def test_who_erased_is_on_record(canary, root):
    erasure.erase(canary, by=root)

    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_repr) == (root, canary.username)


def test_the_last_administrator_stays(root):
    User.objects.create_superuser("gone", is_active=False)

    with pytest.raises(CannotLeave, match="last administrator"):
        erasure.erase(root, by=None)
    root.refresh_from_db()
    assert root.is_active


def test_one_of_two_administrators_may_go(root):
    erasure.erase(User.objects.create_superuser("second"), by=root)

    assert User.objects.get(is_superuser=True) == root


def test_who_manages_a_project_alone_stays_and_is_told_which(canary):
    study = cast.study()
    projects.add_member(study, canary, role=Membership.Role.MANAGER)
    closed = User.objects.create_user("closed", is_active=False)
    projects.add_member(study, closed, role=Membership.Role.MANAGER)

    with pytest.raises(CannotLeave, match=study.name):
        erasure.erase(canary, by=None)
    canary.refresh_from_db()
    assert canary.username == NAME


def test_one_of_two_managers_may_go(canary):
    study = cast.study()
    projects.add_member(study, canary, role=Membership.Role.MANAGER)
    cast.person(study, role=Membership.Role.MANAGER)

    erasure.erase(canary, by=None)

    assert canary.erased_at is not None


def test_what_the_person_holds_goes_to_others(canary):
    study = cast.study()
    cast.pairs(study, 1)
    cast.candidates(study, [("Ada met Bo.", "Bo met Ada.")])
    member = projects.add_member(study, canary)
    pair, candidate = judgments.claim(member).pair, corrections.claim(member)

    erasure.erase(canary, by=None)

    assert not Judgment.objects.filter(annotator=canary).exists()
    assert not Correction.objects.filter(annotator=canary).exists()
    assert corrections.claim(cast.person(study, may_judge=False)).pk == candidate.pk
    for _ in range(5):
        assert judgments.claim(cast.person(study)).pair == pair


def test_the_person_is_given_nothing_more(canary):
    member = projects.add_member(cast.study(), canary)

    erasure.erase(canary, by=None)

    member.refresh_from_db()
    assert member.paused_at is not None


def test_reasons_for_others_and_steps_about_the_person_stay(canary, root):
    study = cast.study()
    projects.add_member(study, root, role=Membership.Role.MANAGER)
    member = projects.add_member(study, canary, role=Membership.Role.MANAGER)
    other = cast.person(study)
    interventions.warn(other, by=canary, reason="Please take your time.")
    interventions.pause(member, by=root, reason="You were away.")

    erasure.erase(canary, by=root)

    reasons = dict(Intervention.objects.values_list("kind", "reason"))
    assert reasons == {"warn": "Please take your time.", "pause": "Erased with the account."}


def test_an_invitation_that_others_came_by_keeps_its_note(canary, root):
    study = cast.study()
    _, secret = invitations.create(
        study,
        by=root,
        expires_at=timezone.now() + timezone.timedelta(days=1),
        most_people=2,
        note="Autumn term",
    )
    for person in (canary, User.objects.create_user("other")):
        invitations.accept(secret, person)

    erasure.erase(canary, by=root)

    assert Invitation.objects.get().note == "Autumn term"


def test_skips_stay_with_their_reason(canary):
    study = cast.study()
    cast.pairs(study, 1)
    member = projects.add_member(study, canary)
    skips.pair(member, pair=judgments.claim(member).pair.public_id, reason="broken", note="me")

    erasure.erase(canary, by=None)

    assert Skip.objects.values_list("reason", "note").get() == ("broken", "")


def test_the_history_is_renamed_by_whole_words(root):
    person, longer = User.objects.create_user("ada"), User.objects.create_user("adam")
    LogEntry.objects.log_actions(root.pk, [longer], CHANGE, change_message="Not ada, adam.")

    erasure.erase(person, by=None)

    entry = LogEntry.objects.get()
    assert entry.object_repr == "adam"
    assert entry.change_message == f"Not {person.username}, adam."


def test_figures_and_files_are_the_same_to_the_last_digit(tmp_path, settings):
    settings.RELEASES_DIR = tmp_path / "releases"
    study = filled()
    judge = study.judges[0].user
    User.objects.filter(pk=judge.pk).update(username=NAME, email=MAIL)
    judge.refresh_from_db()
    before, files = report.of_project(study.project), written(folder_of(study.release))

    erasure.erase(judge, by=None)

    after = repr(report.of_project(study.project))
    assert after == repr(before).replace(NAME, judge.username)
    release_services.write(study.release, tmp_path / "again")
    assert written(tmp_path / "again") == files


def test_a_new_release_holds_the_answers_and_no_trace(tmp_path, settings):
    settings.RELEASES_DIR = tmp_path / "releases"
    study = filled()
    judge = study.judges[0].user
    User.objects.filter(pk=judge.pk).update(username=NAME, email=MAIL, first_name=FIRST)
    judge.refresh_from_db()
    former = judge.public_id

    erasure.erase(judge, by=None)
    release_services.write(
        release_services.freeze(study.project, version="2.0", dev=0, test=0), tmp_path / "new"
    )

    files = written(tmp_path / "new")
    assert len(files["judgments.jsonl"].splitlines()) == 5
    everything = b"".join(files.values())
    for canary in (NAME, MAIL, FIRST, judge.username, str(former)):
        assert canary.encode() not in everything


def written(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
