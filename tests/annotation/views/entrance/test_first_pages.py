"""Where people arrive: home, the first page of a project, the qualification set, their own work."""

import pytest
from django.utils import timezone

from accounts.models import User
from annotation.known_lines import KnownPair
from annotation.models import Intervention, Membership, Project, QualificationAnswer
from annotation.services import admission, interventions, qualification
from tests.annotation import cast
from tests.annotation.views.pages import client_of, page, signed_in, undone

SECRETS = ["canarywhy", "canarylast"]
SET = [
    KnownPair("One sees two.", "Two sees one.", 0, "Because canarywhy."),
    KnownPair("Today it rains.", "It rains today.", 1, "Because canarylast."),
]


def home_of(user):
    return signed_in(user).get("/")


def test_home_offers_the_work_that_waits_and_is_ones_own(client, alice, project, correct_page):
    assert "Nothing is waiting for you yet." in client.get("/").text
    cast.candidates(project, [("One sees two.", "Two sees one."), ("A sees b.", "B sees a.")])
    cast.correct_next(alice)
    reply = client.get("/")
    [card] = reply.context["cards"]
    assert (card.correcting.waiting, card.correcting.done.total) == (1, 1)
    for address in (correct_page, page("me", project), "/accounts/password/change/"):
        assert f'href="{address}"' in reply.text
    [card] = home_of(cast.person(project, may_correct=False).user).context["cards"]
    assert card.correcting is None
    assert card.judging is not None
    overview = f'href="{page("overview", project)}"'
    assert overview not in reply.text
    assert overview in home_of(cast.person(project, role=Membership.Role.MANAGER).user).text


def test_home_says_why_there_is_no_work(client, alice, project, judge_page):
    cast.pairs(project, 2)

    def said(user=alice.user):
        text = home_of(user).text
        assert judge_page not in text
        return text

    with undone():
        cast.judge_all(alice, 1)
        assert "All done for now: thank you." in said()
    with undone():
        Project.objects.update(is_open=False)
        assert "Closed for now." in said()
    with undone():
        cast.judge_next(Membership.objects.select_related("project").get(pk=alice.pk))
        Project.objects.update(most_judgments=1, most_corrections=0)
        assert "You have done all that one person may do here" in said()
    with undone():
        interventions.pause(alice, by=None, reason="Too fast to read.")
        assert "You are paused" in said()
        assert "Too fast to read." in said()
    with undone():
        Project.objects.update(consent="We store.", consent_changed_at=timezone.now())
        assert "Begin here" in said()
        assert page("welcome", project) in said()
    Project.objects.update(asks_qualification=True, attempts=1)
    alice.attempts.create(number=1, finished_at=timezone.now(), share=0.0, passed=False)
    assert "Whoever invited you can grant you another one." in said()
    assert "Begin here" not in said()


def test_who_has_no_project_learns_what_to_do_next(db):
    text = home_of(User.objects.create_user("newcomer")).text
    assert "You are not in a project yet" in text
    for right in ("is_superuser", "is_staff"):
        text = home_of(User.objects.create_user(right, **{right: True})).text
        assert "No project has you as a member yet" in text
        assert 'href="/projects/new/"' in text


@pytest.fixture
def asking(project):
    """The project asks for consent and qualification."""
    Project.objects.update(
        consent="We **store** your answers.<script>alert(1)</script>",
        consent_changed_at=timezone.now(),
        asks_qualification=True,
        attempts=2,
        pass_mark=100,
    )
    project.refresh_from_db()
    return project


def agreement(project):
    return {"version": admission.version_of(project.consent), "agreed": "on"}


def test_each_step_of_the_first_page_opens_the_next(client, asking, alice):
    welcome = page("welcome", asking)

    def stages():
        return [stage.state for stage in client.get(welcome).context["stages"]]

    text = client.get(welcome).text
    assert "<em>fairly</em>" in text
    assert "<strong>store</strong>" in text
    assert "<script>alert" not in text
    assert client.post(page("begin", asking)).url == welcome
    assert client.post(welcome, agreement(asking)).url == welcome
    assert "The qualification set is not ready yet." in client.get(welcome).text
    qualification.add(asking, SET)
    assert stages() == ["done", "done", "now", "later"]
    qualification.let_pass(alice)
    assert stages() == ["done", "done", "done", "now"]
    text = client.get(welcome).text
    assert "You agreed to this on" in text
    assert "Passed on" in text
    Project.objects.update(consent="We sell them.", consent_changed_at=timezone.now())
    assert "This text was changed since you agreed" in client.get(welcome).text
    assert stages()[1] == "now"


def test_only_the_tick_under_the_present_text_is_consent(client, asking, alice):
    welcome, sent = page("welcome", asking), agreement(asking)
    for missing in sent:
        reply = client.post(welcome, {key: sent[key] for key in sent if key != missing})
        assert reply.status_code == 422
        assert "Tick the box first" in reply.text
    with undone():
        Project.objects.update(consent="We sell them.", consent_changed_at=timezone.now())
        reply = client.post(welcome, sent)
        assert reply.status_code == 422
        assert "We sell them." in reply.text
        assert Membership.objects.get(pk=alice.pk).consented_at is None
    client.post(welcome, sent)
    assert Membership.objects.select_related("project").get(pk=alice.pk).has_consented


@pytest.fixture
def attempt(client, project):
    """An attempt at the set that begins; answers a pair right or wrong, and reads on."""
    Project.objects.update(asks_qualification=True, attempts=2, pass_mark=100)
    qualification.add(project, SET)
    qualify = page("qualify", project)
    assert client.get(qualify).url == page("welcome", project)
    assert client.post(page("begin_attempt", project)).url == qualify

    def answer(*, right, by=client):
        item = by.get(qualify).context["item"].id
        label = project.qualification_pairs.get(public_id=item).label
        sent = {"item": item, "label": label if right else 1 - label}
        return by.post(qualify, sent, follow=True).text

    return answer


def test_until_the_end_the_set_tells_nothing_of_what_is_right(client, project, attempt):
    first = client.get(page("qualify", project)).text
    assert "<b>1</b> of 2" in first
    assert sum(pair.sentence1 in first for pair in SET) == 1
    other = client_of(project, "annotator")
    other.post(page("begin_attempt", project))
    following = [attempt(right=True), attempt(right=False, by=other)]
    assert ["<b>2</b> of 2" in text for text in following] == [True, True]
    for text in (first, *following):
        assert [word for word in (*SECRETS, "known") if word in text] == []
        assert "Same meaning" in text


def test_the_result_tells_right_from_wrong_and_leads_on(client, alice, project, attempt):
    attempt(right=True)
    text = attempt(right=False)
    for said in ("Not passed this time", "50 %", "Try again", *SECRETS):
        assert said in text
    begin = page("begin_attempt", project)
    with undone():
        client.post(begin)
        attempt(right=True)
        text = attempt(right=True)
        assert "Passed" in text
        assert "Begin the work" in text
        assert Membership.objects.select_related("project").get(pk=alice.pk).is_admitted
    client.post(begin)
    attempt(right=False)
    text = attempt(right=False)
    assert "Whoever invited you can grant you another one." in text
    assert "Try again" not in text
    client.post(begin)
    assert "Not passed this time" in client.get(page("qualify", project)).text


def test_an_answer_to_the_set_stands_and_one_that_cannot_be_read_is_none(client, project, attempt):
    qualify = page("qualify", project)
    item = client.get(qualify).context["item"].id
    for sent in ({}, {"item": "x", "label": 1}, {"item": item, "label": 99999}):
        assert client.post(qualify, sent, follow=True).status_code == 200
    assert not QualificationAnswer.objects.exists()
    for label in (1, 1, 0):
        reply = client.post(qualify, {"item": item, "label": label}, follow=True)
    assert "that answer stands" in reply.text
    assert QualificationAnswer.objects.get().label == 1
    project.qualification_pairs.all().delete()
    assert "The set has become empty meanwhile." in client.get(qualify).text


def test_ones_own_page_tells_how_much_how_fast_and_why_one_is_paused(client, alice, project):
    me = page("me", project)
    text = client.get(me).text
    assert "Nothing yet." in text
    assert "Appears when 20 of your pairs are decided." in text
    cast.pairs(project, 2)
    cast.judge_all(alice, 1)
    boss = cast.person(project, role=Membership.Role.MANAGER)
    interventions.pause(alice, by=boss.user, reason="Too fast to read.", evidence={"canary": 7})
    Intervention.objects.create(membership=alice, kind="flag", reason="canaryflag")
    text = client.get(me).text
    for said in ("<b>2</b> today", "median time", "As a table", "You have been paused since"):
        assert said in text
    assert "Too fast to read." in text
    assert "canary" not in text
    assert boss.user.username not in text
    assert "Corrections" not in client_of(project, "annotator", may_correct=False).get(me).text
