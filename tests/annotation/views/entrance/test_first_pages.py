"""Where people arrive: home, the first page of a project, the qualification set, their own work."""

from django.utils import timezone

from annotation.known_lines import KnownPair
from annotation.models import Membership, Project
from annotation.services import admission, interventions, qualification
from tests.annotation import cast
from tests.annotation.views.pages import client_of, page, signed_in, undone

SECRETS = ["canarywhy", "canarylast"]
SET = [
    KnownPair("One sees two.", "Two sees one.", 0, "Because canarywhy."),
    KnownPair("Today it rains.", "It rains today.", 1, "Because canarylast."),
]
CONSENT = "We **store** your answers.<script>alert(1)</script>"


def home_of(member):
    return signed_in(member.user).get("/")


def test_home_offers_the_work_that_waits_and_is_ones_own(client, alice, project, correct_page):
    cast.candidates(project, [("One sees two.", "Two sees one."), ("A sees b.", "B sees a.")])
    cast.correct_next(alice)
    reply = client.get("/")
    [card] = reply.context["cards"]
    assert (card.correcting.waiting, card.correcting.done.total) == (1, 1)
    for address in (correct_page, page("me", project), "/accounts/password/change/"):
        assert f'href="{address}"' in reply.text
    [card] = home_of(cast.person(project, may_correct=False)).context["cards"]
    assert (card.correcting, card.judging is None) == (None, False)
    overview = f'href="{page("overview", project)}"'
    assert overview not in reply.text
    assert overview in home_of(cast.person(project, role=Membership.Role.MANAGER)).text


def test_home_says_why_there_is_no_work(client, alice, project, judge_page):
    cast.pairs(project, 2)
    for said, columns in {
        "Closed for now.": {"is_open": False},
        "Begin here": {"consent": "We store.", "consent_changed_at": timezone.now()},
        "You have done all that one person may do here": {"most_judgments": 0},
    }.items():
        with undone():
            Project.objects.update(most_corrections=0, **columns)
            text = client.get("/").text
            assert (said in text, judge_page in text) == (True, False), said
    interventions.pause(alice, by=None, reason="Too fast to read.")
    assert "Too fast to read." in client.get("/").text


def test_ones_own_page_tells_how_much_one_did_and_why_one_is_paused(client, alice, project):
    me, boss = page("me", project), cast.person(project, role=Membership.Role.MANAGER)
    assert "Nothing yet." in client.get(me).text
    cast.pairs(project, 2)
    cast.judge_all(alice, 1)
    interventions.pause(alice, by=boss.user, reason="Too fast to read.", evidence={"canary": 7})
    text = client.get(me).text
    for said in ("<b>2</b> today", "median time", "You have been paused since", "Too fast to"):
        assert said in text
    assert "canary" not in text
    assert boss.user.username not in text


def test_each_step_of_the_first_page_opens_the_next(client, project, alice):
    now = timezone.now()
    Project.objects.update(consent=CONSENT, consent_changed_at=now, asks_qualification=True)
    welcome, begin = page("welcome", project), page("begin", project)
    text = client.get(welcome).text
    assert "<em>fairly</em>" in text
    assert "<strong>store</strong>" in text
    assert "<script>alert" not in text
    assert client.post(begin).url == welcome
    agreement = {"version": admission.version_of(CONSENT), "agreed": "on"}
    assert client.post(welcome, agreement).url == welcome
    assert "The qualification set is not ready yet." in client.get(welcome).text
    qualification.add(project, SET)
    for states in (["done", "done", "now", "later"], ["done", "done", "done", "now"]):
        reply = client.get(welcome)
        assert [stage.state for stage in reply.context["stages"]] == states
        qualification.let_pass(alice)
    cast.pairs(project, 1)
    assert client.post(begin).url == page("judge", project)


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
    assert "Whoever invited you can grant you another one." in text
    assert "Try again" not in text
