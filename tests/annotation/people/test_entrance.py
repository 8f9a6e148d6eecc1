"""Where people arrive: by a link, at home, on a project's first page, and in the set of pairs."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from accounts import studies
from accounts.models import User
from annotation.models import Invitation, Membership, Project, Role
from annotation.pairs.labelled_lines import GoldPair
from annotation.people.services import invitations, members
from annotation.projects import protocols
from annotation.projects.labels import GRADES
from annotation.quality.services import qualification
from tests.annotation import make
from tests.annotation.pages import client_of, page, signed_in, undone

PASSWORD = "quiet-orchard-lantern"
SIGN_UP, NEXT = "/accounts/signup/", {"next": "/join/"}
NEW = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD} | NEXT
SECRETS = ["canarywhy", "canarylast"]
SET = [
    GoldPair("One sees two.", "Two sees one.", 0, "Because canarywhy."),
    GoldPair("Today it rains.", "It rains today.", 1, "Because canarylast."),
]
CONSENT = "We **store** your answers.<script>alert(1)</script>"


@pytest.fixture
def link(project):
    cache.clear()  # Tries are counted there, by address: all tests come from one.
    manager = make.person(project, role=Role.MANAGER).user
    tomorrow = timezone.now() + timedelta(days=1)
    _, secret = invitations.create(project, by=manager, expires_at=tomorrow, kinds=["judge"])
    return f"/join/{secret}/"


def opened(link, user=None):
    client = signed_in(user) if user else Client()
    client.get(link)
    return client


@pytest.fixture
def ben(db):
    return User.objects.create_user("ben", password=PASSWORD)


def test_the_secret_leaves_the_address_at_once_and_is_on_no_page(link):
    client, secret = Client(), link.split("/")[2]
    first = client.get(link)
    assert (first.status_code, first.url) == (302, "/join/")
    assert first.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in first.headers["Cache-Control"]
    pages = [client.get("/join/"), client.get(SIGN_UP), client.get("/accounts/login/?next=/join/")]
    for reply in (first, pages[0]):
        assert reply.headers["X-Robots-Tag"] == "noindex, nofollow"
    pages.append(client.post(SIGN_UP, NEW, follow=True))
    assert all(secret not in f"{reply.text}{reply.headers}" for reply in pages)
    assert secret not in str(dict(client.session))


def test_an_invitation_to_a_graded_study_says_grade(project, link):
    Project.objects.filter(pk=project.pk).update(scheme=GRADES)
    assert "You grade how much two sentences mean the same" in opened(link).get("/join/").text


def test_a_stranger_reads_who_invites_and_to_what_and_gets_an_account_with_a_place(project, link):
    client = opened(link)
    text = client.get("/join/").text
    for said in (project.name, "About towns.", "whether two sentences mean the same"):
        assert said in text
    assert client.post("/join/").url == "/join/"
    reply = client.post(SIGN_UP, NEW, follow=True)
    assert reply.redirect_chain[-1][0] == page("welcome", project)
    place = Membership.objects.get(user__username="ada")
    assert (place.project, place.kinds, place.role) == (project, ["judge"], Role.ANNOTATOR)


def test_a_user_name_cannot_look_like_another(link):
    client = opened(link)
    for name, said in {
        "ad\N{CYRILLIC SMALL LETTER A}": "one alphabet",
        "\N{GREEK SMALL LETTER OMICRON}liver": "one alphabet",
        "ada\N{HANGUL FILLER}": "invisible",
        "ada\N{RIGHT-TO-LEFT OVERRIDE}": "valid username",
        "ada\N{ZERO WIDTH SPACE}": "valid username",
        "ada\0": "Null characters",
    }.items():
        assert said in client.post(SIGN_UP, NEW | {"username": name}).text, ascii(name)
        with pytest.raises(ValidationError):
            User(username=name, password=PASSWORD).full_clean()
    assert not User.objects.filter(username__startswith="ad").exists()
    for name in ("\N{CYRILLIC SMALL LETTER A}\N{CYRILLIC SMALL LETTER DE}", "佐藤taro", "José-1٣"):
        User(username=name, password=PASSWORD).full_clean()
    wide = "".join(chr(ord(each) + 0xFEE0) for each in NEW["username"])
    client.post(SIGN_UP, NEW | {"username": wide})
    assert User.objects.filter(username=NEW["username"]).exists()
    browser = Client()
    browser.post("/accounts/login/", {"login": wide, "password": PASSWORD})
    assert "_auth_user_id" in browser.session
    former = User.objects.create_user("ad\N{CYRILLIC SMALL LETTER A}", password=PASSWORD)
    former.full_clean()


def test_people_with_an_account_sign_in_and_join_with_one_button(project, link, ben):
    client, welcome = opened(link), page("welcome", project)
    sent = {"login": "ben", "password": PASSWORD} | NEXT
    assert "Join as ben" in client.post("/accounts/login/", sent, follow=True).text
    assert not ben.memberships.exists()
    assert client.post("/join/").url == welcome
    assert ben.memberships.get().project == project
    assert client.get("/join/").url == welcome


def test_without_an_invitation_that_is_open_no_account_is_made(link, ben, monkeypatch):
    for reply in (Client().get(SIGN_UP), Client().post(SIGN_UP, NEW)):
        assert "Accounts are created by invitation" in reply.text
    client = opened(link)
    assert "Create an account" in client.get(SIGN_UP).text
    for column in ("revoked_at", "expires_at"):
        with undone():
            Invitation.objects.update(**{column: timezone.now()})
            assert "Accounts are created by invitation" in client.post(SIGN_UP, NEW).text
    # Open when the form was checked, and full when the account is made.
    monkeypatch.setattr(studies, "is_open", lambda invitation: True)
    invitations.join(str(Invitation.objects.get().public_id), ben)
    assert "has already joined" in client.post(SIGN_UP, NEW, follow=True).text
    assert not User.objects.filter(username="ada").exists()


def test_a_closed_invitation_says_so_and_nothing_else(project, link, ben):
    yesterday, cleo = timezone.now() - timedelta(days=1), User.objects.create_user("cleo")
    for column, said in (("revoked_at", "been revoked"), ("expires_at", "expired")):
        with undone():
            Invitation.objects.update(**{column: yesterday})
            reply = opened(link).get("/join/")
            assert reply.status_code == 410
            assert f"This invitation has {said}." in reply.text
            assert project.name not in reply.text
            assert "towns" not in reply.text
    invitations.join(str(Invitation.objects.get().public_id), ben)
    reply = opened(link, cleo).post("/join/")
    assert reply.status_code == 410
    assert "The maximum number of people has already joined by this link." in reply.text
    assert not cleo.memberships.exists()


def test_all_wrong_links_look_alike(link):
    for secret in ("x", "a" * 43, "a" * 5000, "%00", "é", "%F0%9F%90%BE"):
        reply = Client().get(f"/join/{secret}/")
        assert reply.status_code == 404
        assert "Invitation not found" in reply.text
        assert "sessionid" not in reply.cookies


def test_home_offers_the_work_that_waits_and_is_ones_own(client, alice, project, correct_page):
    make.candidates(project, [("One sees two.", "Two sees one."), ("A sees b.", "B sees a.")])
    make.correct_next(alice)
    reply = client.get("/")
    [card] = reply.context["cards"]
    found = {task.kind: (task.waiting, task.done.total) for task in card.tasks}
    assert found == {"correct": (1, 1), "judge": (0, 0)}
    for address in (correct_page, page("me", project), "/accounts/password/change/"):
        assert f'href="{address}"' in reply.text
    [card] = client_of(project, "annotator", kinds=["judge"]).get("/").context["cards"]
    assert [(task.kind, task.waiting) for task in card.tasks] == [("judge", 1)]
    overview = f'href="{page("overview", project)}"'
    assert overview not in reply.text
    assert overview in client_of(project).get("/").text


def test_each_step_of_the_first_page_opens_the_next(client, project, alice):
    now = timezone.now()
    Project.objects.update(consent=CONSENT, consent_changed_at=now, asks_qualification=True)
    welcome, begin = page("welcome", project), page("begin", project)
    text = client.get(welcome).text
    assert "<em>fairly</em>" in text
    assert "<strong>store</strong>" in text
    assert "<script>alert" not in text
    assert client.post(begin).url == welcome
    agreement = {"version": members.version_of(CONSENT), "agreed": "on"}
    assert client.post(welcome, agreement).url == welcome
    assert "The qualification test isn’t ready yet." in client.get(welcome).text
    qualification.add(project, SET)
    for states in (["done", "done", "now", "later"], ["done", "done", "done", "now"]):
        reply = client.get(welcome)
        assert [state for _name, state in reply.context["stages"]] == states
        qualification.let_pass(alice)
    make.pairs(project, 1)
    assert client.post(begin).url == page("work", project, "judge")


def test_a_judge_reads_on_the_first_page_what_is_about_judging_alone(project):
    project.guidelines = protocols.PRESETS["paws"].guidelines
    project.save()
    judge = make.person(project, kinds=["judge"])
    text = signed_in(judge.user).get(page("welcome", project)).text
    assert "share most of their words" in text
    assert "A program has rearranged a sentence." not in text


def test_a_manager_reads_on_the_first_page_what_managers_do(project):
    manager = make.person(project, role=Role.MANAGER, kinds=["judge"])
    text = signed_in(manager.user).get(page("welcome", project)).text
    assert "You manage this project: add sentences" in text
    assert page("invitations", project) in text
    assert "Judge <em>fairly</em>." not in text


def test_the_set_tells_what_is_right_only_at_the_end_and_then_leads_on(client, project):
    Project.objects.update(asks_qualification=True, attempts=2, pass_mark=100)
    qualification.add(project, SET)
    qualify, begin = page("qualify", project), page("begin_attempt", project)

    def answer(*, right, by=client):
        item = by.get(qualify).context["item"].id
        label = project.qualification_pairs.get(public_id=item).label
        sent = {"item": item, "label": label if right else 1 - label}
        return by.post(qualify, sent, follow=True).text

    assert client.get(qualify).url == page("welcome", project)
    assert client.post(begin).url == qualify
    first, other = client.get(qualify).text, client_of(project, "annotator")
    assert "<b>1</b> of 2" in first
    assert sum(pair.sentence1 in first for pair in SET) == 1
    other.post(begin)
    Project.objects.update(consent=CONSENT, consent_changed_at=timezone.now())
    assert client.get(qualify).url == page("welcome", project)
    Project.objects.update(consent="", consent_changed_at=None)
    following = [answer(right=True), answer(right=False, by=other)]
    assert ["<b>2</b> of 2" in text for text in following] == [True, True]
    for text in (first, *following):
        assert [word for word in (*SECRETS, "known") if word in text] == []
        assert "Same meaning" in text
    text = answer(right=False)
    assert [said for said in ("50 %", "Try again", *SECRETS) if said not in text] == []
    client.post(begin)
    answer(right=False)
    text = answer(right=False)
    assert "The person who invited you can grant you another one." in text
    assert "Try again" not in text
