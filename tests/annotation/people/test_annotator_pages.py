"""The people of a study: their figures, steps by managers, and no names for researchers."""

import pytest
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.utils import timezone

from accounts.models import User
from annotation import urls
from annotation.models import Intervention, Membership, SamePerson, Slot
from annotation.people.services import same_person
from annotation.projects.views.files import TABLES
from annotation.quality.services import interventions
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page, signed_in, undone
from tests.annotation.test_page_matrix import names
from tests.studies.complete import complete_study

pytestmark = pytest.mark.django_db
CANARY, PSEUDONYM = "zzcanary", "annotator-"
# What names people to those who may know them.
NAMING = ["agreement", "person", "person_actions", "people", "pair", "annotators.csv", "pairs.csv"]
NAMING += [
    "answers",
    "answers correct",
    "corrections.csv",
    "leases",
    "leases.csv",
    "skips",
    "skips.csv",
]


@pytest.fixture(scope="module")
def study(module_db):
    return make.study()


@pytest.fixture(scope="module")
def judges(study):
    """Bo, the first, is alone on three of four pairs; the last judged one pair fewer."""
    people = judged.people(study, 5)
    judged.pairs(study, [[0, 1, 1, 1, 1]] * 3 + [[1, 1, 1, 1]], by=people)
    return people


@pytest.fixture
def bo(judges):
    return Membership.objects.select_related("project", "user").get(pk=judges[0].pk)


@pytest.fixture(scope="module")
def boss(study):
    return make.person(study, role=Membership.Role.MANAGER)


@pytest.fixture(scope="module")
def client(boss):
    return signed_in(boss.user)


def at(name, person, *more):
    return page(name, person.project, person.user.public_id, *more)


def flag(person):
    evidence = {"flag": "fast", "fast": 9, "answers": 10, "floor_seconds": 2.0, "ratio": 30.0}
    person.interventions.create(kind=Intervention.Kind.FLAG, reason="-", evidence=evidence)


def test_who_needs_a_look_is_the_first_of_everybody(study, bo, client):
    flag(bo)
    groups = client.get(page("people", study)).context["groups"]
    title, [first] = groups[0]
    assert (str(title), first.person.figures.user) == ("Needs a look", bo.user)
    assert (first.effect.pairs, first.effect.to_answer) == (3, 4)
    seen = client.get(page("people", study), {"state": "look"}).context["groups"]
    assert [len(rows) for _title, rows in seen] == [1]


def test_every_page_says_beside_people_how_many_need_a_look(study, bo, client):
    flag(bo)
    badge = '<span class="visually-hidden">needs you: </span>1'
    assert badge in client.get(page("leases", study)).text


def test_researchers_are_offered_no_steps_in_the_list(study, judges):
    reply = client_of(study, "researcher").get(page("people", study))
    assert reply.status_code == 200
    assert "Pause…" not in reply.text
    assert 'name="chosen"' not in reply.text


def test_only_answers_that_the_others_contradict_are_listed_on_demand(bo, client):
    reply = client.get(at("person", bo), {"apart": "on"})
    assert [line.is_apart for line in reply.context["lines"]] == [True] * 3


def test_everybody_with_answers_is_listed_in_the_order_that_was_asked_for(study, client, judges):
    def listed(**query):
        lines = client.get(page("people", study), {"figures": "all", **query}).context["lines"]
        return [line.person.membership for line in lines]

    make.person(study)
    assert set(listed()) == set(judges)
    make.candidates(study, [("Ada met Bo.", "Bo met Ada.")])
    make.correct_next(corrector := make.person(study))
    everybody = {*judges, corrector}
    by_name = sorted(everybody, key=lambda person: person.user.username)
    assert listed(order="name") == by_name
    assert listed(order="name", down="1") == by_name[::-1]
    for order in ("seconds", "last_seen", "agreement"):
        up, down = listed(order=order), listed(order=order, down="1")
        assert up[0] == [person for person in down if person != corrector][-1] == judges[0], order
        assert set(down) == set(up) == everybody
    assert up[-1] == down[-1] == corrector  # what is unknown comes last
    assert listed(order="judgments")[:2] == [corrector, judges[4]]


def test_an_annotator_has_a_page_with_answers_beside_those_of_the_others(study, bo, client):
    address = at("person", bo)
    reply = client.get(address)
    figures = reply.context["figures"]
    assert (figures.judgments, figures.agreement) == (4, 0.25)
    split = [line for line in reply.context["lines"] if line.own.label == 0]
    assert [line.others for line in split] == ["others: Same meaning, 4 of 4"] * 3
    assert all(line.is_apart for line in split)
    for each, may_pause in ((client, True), (client_of(study, "researcher"), False)):
        assert ("Pause…" in each.get(address).text) == may_pause
    assert "No judgments yet." in client.get(at("person", make.person(study))).text


def test_answers_of_one_moment_may_lack_their_time():
    project = make.study()
    make.pairs(project, 2)
    person, moment = make.person(project), timezone.now()
    for seconds in (None, 0.0):
        answer = make.judge_next(person)
        Slot.objects.filter(pk=answer.pk).update(submitted_at=moment, seconds=seconds)
    assert client_of(project).get(at("person", person)).status_code == 200


def test_a_step_is_asked_about_and_then_taken_with_its_reason(bo, boss, client):
    said = dict.fromkeys(("warn", "pause"), "What will happen")
    for step, asked in (said | {"exclude": "3 decided pairs will reopen."}).items():
        with undone():
            address = at("intervene", bo, step)
            assert asked in client.get(address).text
            for reason in ("  ", "x" * 501):
                reply = client.post(address, {"reason": reason})
                assert (reply.status_code, [*reply.context["form"].errors]) == (422, ["reason"])
            assert not Intervention.objects.exists()
            reply = client.post(address, {"reason": "Please read\r\nslowly."})
            assert reply.url == at("person", bo)
            made = Intervention.objects.get()
            assert (made.kind, made.by, made.membership) == (step, boss.user, bo)
            assert made.reason == "Please read\nslowly."
            assert made.reason in client.get(at("person_actions", bo)).text
            again = client.post(address, {"reason": "Again."}).status_code
            assert again == (302 if step == "warn" else 422)
    assert client.post(at("intervene", bo, "flag"), {"reason": "Odd."}).status_code == 404
    for name, *step in (("intervene", "warn"), ("same_person",), ("separate",)):
        assert client.post(at(name, boss, *step), {"reason": "Because."}).status_code == 404


def test_two_accounts_are_found_marked_and_separated(study, bo, judges, client):
    other = make.person(study)
    User.objects.filter(pk=other.user_id).update(username="bo-again")
    address = at("same_person", bo)
    assert client.get(address, {"q": "again"}).context["found"] == [other]
    for wrong in (bo.user.public_id, make.person(make.study()).user.public_id, "nonsense"):
        assert client.post(address, {"other": wrong}).status_code == 404
    reply = client.post(address, {"other": other.user.public_id}, follow=True)
    assert "never get the same pair" in reply.text
    assert [each.user_id for each in reply.context["one"].members] == [other.user_id]
    assert "Unlink" in reply.text
    same_person.mark(bo.user, other.user, project=make.study())
    assert "Another project still does" in client.post(at("separate", bo), follow=True).text
    reply = client.post(at("separate", bo), follow=True)
    assert reply.text.count("Only its managers can unlink them.") == 2
    assert "Unlink" not in reply.text
    history = client.get(page("history", study)).text
    assert "other account: bo-again" in history
    for link in SamePerson.objects.all():
        same_person.undo(link, by=other.user)
    assert not User.objects.filter(main_account__isnull=False).exists()
    reply = client.post(address, {"other": judges[1].user.public_id}, follow=True)
    assert "Both have already answered 4 pairs." in reply.text


def read(complete, role):
    """What a member with the role reads on each page, without their own name."""
    own = User.objects.get(pk=complete.person(role).pk)
    client = signed_in(own)
    everywhere = {f"{each}.csv": page("table", complete.project, each) for each in TABLES}
    everywhere |= {name: complete.address(name) for name in names(urls.urlpatterns)}
    everywhere |= {"answers correct": page("answers", complete.project, "correct")}
    for name, address in everywhere.items():
        reply = client.get(address)
        told = b"".join(reply).decode(errors="replace") + str(reply.headers)
        yield name, told.replace(own.username, "").lower()


def test_only_managers_are_told_names_and_researchers_pseudonyms(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path
    complete = complete_study()
    manager, researcher = complete.person("manager"), complete.person("researcher")
    judges = Membership.objects.filter(
        project=complete.project, user__slots__item__public_id=complete.arguments["pair_id"]
    )
    first = judges.get(user__public_id=complete.arguments["user_id"])
    other = judges.exclude(pk=first.pk).earliest("pk")
    for kind in complete.project.kinds:
        make.claim(complete.place("annotator"), kind)
    interventions.exclude(other, by=manager, reason="They agreed beforehand.")
    same_person.mark(first.user, other.user, by=manager)
    complete.prepare("disputed")
    judged.pairs(complete.project, [[1] * 5], by=judged.people(complete.project, 5))
    User.objects.exclude(pk=researcher.pk).update(
        username=Concat(Value(f"{CANARY}-"), F("username")),
        first_name=f"{CANARY}first",
        last_name=f"{CANARY}last",
        email=Concat(Value(f"{CANARY}-"), F("username"), Value("@example.org")),
    )
    told = dict(read(complete, "researcher"))
    assert [name for name in told if CANARY in told[name]] == []
    assert [name for name in NAMING if PSEUDONYM not in told[name]] == []
    told = dict(read(complete, "manager"))
    assert [name for name in NAMING if CANARY not in told[name]] == []


def test_the_order_of_people_tells_a_researcher_nothing_of_their_names(study, judges):
    client = client_of(study, "researcher")
    context = client.get(page("people", study), {"figures": "all"}).context
    names = [context["naming"].name(line.person.user) for line in context["lines"]]
    assert len(names) == 5
    assert names == sorted(names)
