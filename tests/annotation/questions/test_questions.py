"""Questions about annotators: setting them up, the step before work, and one's own replies."""

import pytest
from babel import Locale
from django.utils import timezone, translation

from accounts.models import User
from accounts.services import erase
from annotation.errors import Refused
from annotation.models import AnnotatorReply, Membership, Project, Role
from annotation.pairs.labelled_lines import GoldPair
from annotation.people.selectors.members import Step, step_of
from annotation.people.services import members
from annotation.projects.services import lifecycle, projects
from annotation.quality.services import qualification
from annotation.questions import ready, selectors, services
from tests.annotation import make
from tests.annotation.pages import client_of, page, signed_in, statements
from tests.annotation.questions.asking import LANGUAGES, ask, people_who_reply, reply

CONSENT = "We store your answers."


def reread(member):
    return Membership.objects.select_related("project").get(pk=member.pk)


def test_questions_come_after_consent_and_before_the_test(project, alice, client):
    ask(project)
    Project.objects.update(consent=CONSENT, consent_changed_at=timezone.now())
    Project.objects.update(asks_qualification=True)
    qualification.add(project, [GoldPair("One sees two.", "Two sees one.", 0, "")])
    about_me, welcome = page("about_me", project), page("welcome", project)
    assert step_of(reread(alice)) is Step.CONSENT
    assert client.get(about_me).url == welcome
    client.post(welcome, {"version": members.version_of(CONSENT), "agreed": "on"})
    assert step_of(reread(alice)) is Step.QUESTIONS
    assert about_me in client.get(welcome).text
    assert client.get(page("qualify", project)).url == welcome
    with pytest.raises(Refused, match="questions about you"):
        qualification.begin(alice)
    form = client.get(about_me).context["form"]
    sent = {"version": form["version"].value(), "question_1": "2"}
    assert client.post(about_me, sent).url == welcome
    assert step_of(reread(alice)) is Step.QUALIFICATION
    assert selectors.replies_of(alice) == {project.questions.get().pk: 2}


def test_whoever_has_not_replied_gets_no_work(project, alice, client, judge_page):
    make.pairs(project, 1)
    assert 'name="label"' in client.get(judge_page).text
    ask(project)
    assert client.get(judge_page).url == page("welcome", project)
    assert make.claim(reread(alice)) is None
    reply(alice, None)
    assert make.claim(reread(alice)) is not None


def test_nothing_is_selected_and_every_question_needs_an_answer(project, client):
    services.add_ready(project, ["country", "gender"], by=None)
    about_me = page("about_me", project)
    reply = client.get(about_me)
    assert "checked" not in reply.text.partition("<form")[2]
    assert reply.text.count('<option value="" selected>') == 1
    sent = {"version": reply.context["form"]["version"].value(), "question_1": "none"}
    refused = client.post(about_me, sent)
    assert refused.status_code == 422
    assert "Choose an answer" in refused.text
    assert not AnnotatorReply.objects.exists()


def test_one_is_published_only_by_a_tick_of_ones_own(project, alice, client):
    ask(project)
    about_me = page("about_me", project)
    for tick, publishes in (({}, False), ({"publishes": "on"}, True), ({}, False)):
        form = client.get(about_me).context["form"]
        sent = {"version": form["version"].value(), "question_1": "0", **tick}
        assert client.post(about_me, sent).status_code == 302
        assert reread(alice).publishes is publishes


def test_replies_are_changed_from_ones_own_page(project, alice, client):
    question = ask(project)
    reply(alice, 1)
    before = reread(alice).replied_at
    assert page("about_me", project) in client.get(page("me", project)).text
    reply(alice, None)
    assert selectors.replies_of(alice) == {question.pk: None}
    assert reread(alice).replied_at == before


def test_a_new_question_is_asked_alone(project, alice, client):
    ask(project)
    reply(alice, 1)
    ask(project, "Age", ["young", "old"])
    assert step_of(reread(alice)) is Step.QUESTIONS
    form = client.get(page("about_me", project)).context["form"]
    assert [question.title for question in form.questions] == ["Age"]
    reply(alice, 0)
    form = client.get(page("about_me", project)).context["form"]
    assert [question.title for question in form.questions] == ["First language", "Age"]


def test_replies_to_questions_that_were_changed_meanwhile_are_refused(project, alice, client):
    question = ask(project)
    form = client.get(page("about_me", project)).context["form"]
    texts = {"title": "Mother tongue", "text": "Which one?", "choices": LANGUAGES}
    services.change(question, **texts, by=None)
    sent = {"version": form["version"].value(), "question_1": "0"}
    reply = client.post(page("about_me", project), sent, follow=True)
    assert "were changed while you were answering" in reply.text
    assert not AnnotatorReply.objects.exists()


def test_a_question_with_replies_can_only_be_retired(project, alice):
    question = ask(project)
    reply(alice, 1)
    texts = {"title": "Tongue", "text": "Which one?", "choices": LANGUAGES}
    for act in (
        lambda: services.change(question, **texts, by=None),
        lambda: services.remove(question, by=None),
    ):
        with pytest.raises(Refused, match="only be retired"):
            act()
    services.retire(question, by=None)
    assert step_of(make.person(Project.objects.get())) is Step.READY
    assert selectors.to_change(make.person(project)) == []
    assert selectors.to_change(alice) == [question]


def test_a_question_that_was_removed_is_asked_no_more(project, alice):
    ask(project)
    reply(alice, 1)
    services.remove(ask(project, "Age", ["young", "old"]), by=None)
    assert step_of(reread(alice)) is Step.READY


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"title": "first LANGUAGE"}, "already has a question"),
        ({"choices": ["German"]}, "2 to 250 choices; this one has 1"),
        ({"choices": ["German", "german"]}, "Two choices are the same"),
        ({"choices": [str(n) for n in range(251)]}, "2 to 250 choices; this one has 251"),
    ],
)
def test_a_bad_question_is_refused_with_the_reason(project, changes, said):
    ask(project)
    good = {"title": "Age", "text": "How old?", "choices": ["young", "old"]}
    with pytest.raises(Refused, match=said):
        services.add(project, **good | changes, by=None)


def test_a_study_asks_at_most_twenty_questions(project):
    for number in range(20):
        ask(project, f"Question {number}")
    with pytest.raises(Refused, match="at most 20"):
        ask(project, "One more")


def test_ready_made_questions_are_stored_in_english_and_shown_in_the_pages_language(project):
    with translation.override("de"):
        services.add_ready(project, ready.READY, by=None)
    stored = {question.ready: question for question in project.questions.all()}
    assert stored["country"].choices[0] == "Afghanistan"
    assert max(len(question.choices) for question in stored.values()) == 250
    with translation.override("de"):
        shown = ready.shown(stored["country"])
        assert (shown.title, "Österreich" in shown.choices) == ("Land", True)
        place = stored["country"].choices.index("Austria")
        assert shown.choices[place] == "Österreich"
        assert "Deutsch" in ready.shown(stored["first_language"]).choices


def test_countries_are_those_that_have_a_code():
    """249 of ISO 3166-1 in 2026, and Kosovo."""
    names = ready.english("country").choices
    assert len(names) == len({*names}) == 250
    assert {*names} <= {*Locale("en").territories.values()}


def test_a_ready_made_question_that_was_changed_is_the_studys_own(project):
    services.add_ready(project, ["gender"], by=None)
    question = project.questions.get()
    texts = {"title": question.title, "text": question.text}
    services.change(question, **texts, choices=question.choices, by=None)
    assert question.ready == "gender"
    services.change(question, **texts, choices=["Woman", "Man"], by=None)
    with translation.override("de"):
        assert ready.shown(question).choices == ["Woman", "Man"]


def test_a_duplicate_asks_the_same_questions(project):
    services.add_ready(project, ["age", "gender"], by=None)
    services.retire(project.questions.get(title="Age"), by=None)
    copy = lifecycle.duplicate(project, name="Again", by=User.objects.create_user("bo"))
    assert [(each.number, each.ready) for each in copy.questions.all()] == [(1, "gender")]
    assert step_of(make.person(copy)) is Step.QUESTIONS


def test_erasing_an_account_deletes_its_replies(project, alice):
    ask(project)
    people_who_reply(project, [0, 1])
    reply(alice, 1, publishes=True)
    erase(alice.user, by=User.objects.create_superuser("root"))
    assert AnnotatorReply.objects.count() == 2
    assert not alice.replies.exists()
    assert not Membership.objects.filter(publishes=True).exists()


def test_the_smallest_group_is_only_raised_once_people_have_replied(project, alice):
    ask(project)
    assert projects.change(project, {"least_in_group": 4}, by=None) == ["least_in_group"]
    reply(alice, 1)
    projects.change(project, {"least_in_group": 6}, by=None)
    with pytest.raises(Exception, match="can only be raised"):
        projects.change(project, {"least_in_group": 5}, by=None)


def test_a_study_without_questions_asks_the_database_nothing_about_them(project, alice, client):
    names = ("welcome", "me")
    before = {name: statements(client, page(name, project)) for name in names}
    questions = [ask(project), ask(project, "Age", ["young", "old"])]
    reply(alice, 0, 1)
    for question in questions:
        services.retire(question, by=None)
    assert {name: statements(client, page(name, project)) for name in names} == before


def test_managers_set_questions_up_on_a_page(project):
    manager = make.person(project, role=Role.MANAGER)
    browser, address = signed_in(manager.user), page("questions", project)
    assert "No questions yet" in browser.get(address).text
    browser.post(page("add_questions", project), {"ready": ["age", "country"]})
    own = {"title": "Dialect", "text": "Do you speak one?", "choices": "Yes\n\n No \n"}
    browser.post(page("add_question", project), own)
    assert project.questions.get(title="Dialect").choices == ["Yes", "No"]
    reply = browser.get(address)
    assert [line.texts.title for line in reply.context["lines"]] == ["Age", "Country", "Dialect"]
    offered = reply.context["ready_form"].fields["ready"].choices
    assert "age" not in dict(offered)
    dialect = page("question", project, project.questions.get(title="Dialect").public_id)
    browser.post(dialect, own | {"title": "Dialects"})
    browser.post(dialect, {"remove": "1"})
    assert [each.title for each in project.questions.all()] == ["Age", "Country"]
    bad = browser.post(page("add_question", project), own | {"choices": "Yes"})
    assert (bad.status_code, "this one has 1" in bad.text) == (422, True)


def test_researchers_see_totals_and_change_nothing(project):
    ask(project)
    people_who_reply(project, [0] * 10 + [1] * 4 + [2])
    text = client_of(project, "researcher").get(page("questions", project)).text
    assert "<bdi>German</bdi> (10)" in text
    assert "Not shown: what too few people chose" in text
    assert "<bdi>English</bdi>" not in text
    assert page("add_question", project) not in text
