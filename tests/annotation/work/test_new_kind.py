"""A kind of work that the product does not have is on the pages that are written for all kinds."""

from io import StringIO

import pytest
from django import forms
from django.core.management import call_command

from annotation.models import Item, Role
from annotation.projects.selectors import glance
from annotation.projects.views import files
from annotation.quality.views import alerts
from annotation.studies.types import study_at
from annotation.work import queue
from annotation.work.contract import AnswerForm, Kind
from annotation.work.kinds import KINDS
from generation.models import Corpus, Sentence
from generation.services.sentences import digest_of
from tests.annotation import make
from tests.annotation.pages import page, rows_of, signed_in

pytestmark = pytest.mark.django_db
TEXTS = ("Ada met Bo.", "It rained.", "The old mill burned.")


class RatingForm(AnswerForm):
    label = forms.IntegerField()


class Rate(Kind):
    """Say whether a sentence is well written: two people each."""

    name, title, items, answers = "rate", "Rate sentences", "sentences", "ratings"
    list_title = "Ratings"
    form = RatingForm
    reads = ("item__sentence1__corpus",)

    def simulate(self, person, item):
        return {"label": 1}

    def slots_in(self, project):
        return 2

    def sentences(self, item):
        return (item.sentence1.text,)

    def language(self, item):
        return item.sentence1.corpus.language

    def columns(self, slot, answer):
        return {"label": answer["label"]}

    def name_of(self, slot):
        return ("badly written", "well written")[slot.label]


@pytest.fixture
def project(monkeypatch):
    monkeypatch.setitem(KINDS, "rate", Rate())
    project, corpus = make.study(kinds=["rate"]), Corpus.objects.create(name="Texts")
    for text in TEXTS:
        sentence = Sentence.objects.create(corpus=corpus, text=text, digest=digest_of(text))
        item = Item.objects.create(project=project, kind="rate", sentence1=sentence, slot_count=2)
        queue.open_slots(project, "rate", [item.pk], per_item=2)
    return project


@pytest.fixture
def manager(project):
    return make.person(project, role=Role.MANAGER)


def rate(person, number):
    for _ in range(number):
        item = make.claim(person, "rate").item.public_id
        assert make.turn(person, "rate", item=item, label=1).refusal is None


def test_alerts_say_that_too_few_people_can_do_it(project, manager):
    def said():
        glances = glance.of_projects([project])
        return [need.text for need in alerts.of_member(manager, study_at(glances[project.pk]))]

    assert said() == ["Items wait for answers, and too few people can give them."]
    make.person(project)
    assert said() == ["Items wait for answers, and too few people can give them."]
    make.person(project)
    assert said() == []


def test_the_overview_counts_its_answers(project, manager):
    rate(make.person(project), 3)
    overview = signed_in(manager.user).get(page("overview", project))
    assert "Getting started" not in overview.text
    [stage] = overview.context["stages"]
    assert (stage.name, stage.number, stage.left) == ("Rate sentences", 3, "3 left")


def test_the_report_counts_its_answers(project):
    rate(make.person(project), 2)
    out = StringIO()
    call_command("report", project=project.name, stdout=out)
    assert " ".join(out.getvalue().split()) == "Rate sentences Items waiting 4 answered 2"


def test_its_answers_are_a_file(project, manager, monkeypatch):
    monkeypatch.setitem(files.TABLES, "answers-rate", files.answers_of(KINDS["rate"]))
    rate(make.person(project), 1)
    client, address = signed_in(manager.user), page("table", project, "answers-rate")
    assert address in client.get(page("answers", project, "rate")).text
    rows = rows_of(client.get(address, {"state": "answered"}))
    assert [(row["sentences"], row["label"]) for row in rows] == [(TEXTS[0], "1")]
