"""The buttons of labels: their order, keys, layout, and the captions of sentences."""

import pytest
from django.urls import reverse
from django.utils.translation import override

from annotation.models import Project
from annotation.projects.labels import GRADES, INFERENCE, shown_name
from annotation.projects.protocols import PRESETS
from annotation.stats.labels import SAME_OR_DIFFERENT, Label, Level, Rule, Scheme
from annotation.work import judge, shortcuts
from tests.annotation import make
from tests.annotation.pages import client_of, form_at

pytestmark = pytest.mark.django_db
SCALE = Scheme(
    tuple(Label(value, f"degree {value}") for value in range(-5, 6)), Level.ORDINAL, Rule.MOST
)
STARS = Scheme(
    tuple(Label(value, f"{value} stars") for value in range(1, 6)), Level.ORDINAL, Rule.MOST
)
ORDERED_TWO = Scheme((Label(1, "worse"), Label(2, "better")), Level.ORDINAL, Rule.SIDE, border=2)
NUMBERED_TWO = Scheme((Label(0, "0"), Label(1, "1")), Level.NOMINAL, Rule.SIDE, border=1)
RELATIONS = Scheme(
    tuple(Label(value, f"relation {value}") for value in range(7)), Level.NOMINAL, Rule.MOST
)


def buttons(scheme, **looks):
    return judge.labels(Project(scheme=scheme, label_looks=looks))


@pytest.mark.parametrize(
    ("scheme", "keys"),
    [
        (SAME_OR_DIFFERENT, "1 2"),
        (INFERENCE, "1 2 3"),
        (GRADES, "0 1 2 3"),
        (STARS, "1 2 3 4 5"),
        (ORDERED_TWO, "2 1"),
        (NUMBERED_TWO, "1 0"),
        (SCALE, "q w t y i 0 1 2 3 4 5"),
    ],
)
def test_a_digit_chooses_the_label_of_its_value_or_else_the_button_of_its_number(scheme, keys):
    assert [answer.key for answer in buttons(scheme)["answers"]] == keys.split()


def test_letters_of_labels_are_none_that_the_person_uses_for_something_else():
    answers = judge.choices(Project(scheme=SCALE), shortcuts.USUAL | {"skip": "q"})
    assert [answer.key for answer in answers[:5]] == [*"wtyio"]


def test_a_person_may_not_have_other_keys_of_two_labels_with_values():
    answers = judge.choices(Project(scheme=ORDERED_TWO), shortcuts.USUAL | {"same": "1"})
    assert [(answer.key, answer.value) for answer in answers] == [("2", 2), ("1", 1)]


def test_the_digit_of_another_value_is_refused_as_key():
    project = Project(scheme=STARS)
    problems = judge.key_problems(project, {"1": {"key": "9"}, "2": {"key": "2"}})
    assert problems == {"1": "A digit chooses the label with this value."}


def test_a_project_may_choose_keys():
    answers = buttons(INFERENCE, **{"0": {"key": "f"}, "2": {"key": "w"}})["answers"]
    assert [answer.key for answer in answers] == ["f", "2", "w"]


@override("de")
def test_questions_and_criteria_of_presets_are_in_the_language_of_the_page():
    preset = PRESETS["nli"].of_labels
    project = Project(scheme=INFERENCE, **preset)
    shown = judge.labels(project)
    assert shown["pair_question"] == "Was sagt die Prämisse über die Hypothese?"
    assert shown["answers"][1].criterion == "Die Hypothese kann wahr oder falsch sein."
    project.question = "Does it rain?"
    assert judge.question(project) == "Does it rain?"


def test_a_person_has_their_own_keys_of_two_labels():
    project = Project(label_looks={"1": {"key": "y"}})
    usual, own = {"same": "1", "different": "2"}, {"same": "g", "different": "2"}
    for keys, expected in ((usual, ["y", "2"]), (own, ["g", "2"])):
        assert [answer.key for answer in judge.choices(project, keys)] == expected


@pytest.mark.parametrize(
    ("key", "error"),
    [
        ("u", "“u” is already the key for “Undo the last answer or skip”. Choose another one."),
        ("2", "“2” is already the key for “neutral”. Choose another one."),
        ("ß", "Use a letter from A to Z, a digit or a punctuation mark."),
    ],
)
def test_a_key_that_is_taken_is_refused(key, error):
    project = make.study(scheme=INFERENCE, consensus_min_votes=3)
    client = client_of(project)
    address = reverse("work_settings", args=[project.public_id])
    reply = client.post(address, form_at(client, address, key_0=key))
    assert reply.context["form"].errors == {"key_0": [error]}


def test_keys_and_colours_of_labels_are_settings():
    project = make.study(scheme=INFERENCE, consensus_min_votes=3)
    client = client_of(project)
    address = reverse("work_settings", args=[project.public_id])
    client.post(address, form_at(client, address, key_0="F", colour_0="green"))
    project.refresh_from_db()
    assert project.label_looks == {"0": {"key": "f", "colour": "green"}}


@pytest.mark.parametrize(
    ("scheme", "looks", "layout"),
    [
        (INFERENCE, {}, "stacked"),
        (INFERENCE, {"0": {"criterion": "It follows."}}, "grades"),
        (SCALE, {}, "scale"),
        (SCALE, {"-5": {"criterion": "Far apart."}}, "many grades"),
        (RELATIONS, {}, "many"),
    ],
)
def test_more_than_five_labels_in_an_order_are_a_scale(scheme, looks, layout):
    assert buttons(scheme, **looks)["layout"] == layout


def test_the_work_page_names_the_roles_of_the_sentences():
    project = make.study(scheme=INFERENCE, consensus_min_votes=3)
    make.candidates(project, [("Ada owns a dog.", "Ada owns an animal.")], method="imported")
    page = client_of(project, "annotator").get(reverse("work", args=[project.public_id, "judge"]))
    for caption, text in (("Premise", "Ada owns a dog."), ("Hypothesis", "Ada owns an animal.")):
        assert f'data-caption="{caption}">{text}</li>' in page.text


@pytest.mark.parametrize(
    ("settings", "question"),
    [
        ({}, "Do these two sentences mean the same?"),
        ({"protocol": "parade"}, "How close in meaning are these two?"),
        ({"protocol": "nli"}, "Which label fits?"),
        ({"protocol": "nli", "question": "Does it follow?"}, "Does it follow?"),
    ],
)
def test_the_question_stands_above_the_pair(settings, question):
    project = make.study(**settings)
    make.candidates(project, [("Ada owns a dog.", "Ada owns an animal.")], method="imported")
    page = client_of(project, "annotator").get(reverse("work", args=[project.public_id, "judge"]))
    assert f'<h1 class="question">{question}</h1>' in page.text


@pytest.mark.parametrize(
    ("language", "remark"),
    [("en", "This is PARADE as published."), ("de", "Das entspricht PARADE, wie veröffentlicht.")],
)
def test_a_new_study_of_grades_is_told_to_be_parade(language, remark):
    client = client_of(make.study())
    client.cookies["django_language"] = language
    address = reverse("create_project") + "?preset=graded"
    assert remark in client.get(address).text
    # As a browser sends it: with the names of labels that the page shows.
    with override(language):
        names = {f"scheme-name-{row}": shown_name(label) for row, label in enumerate(GRADES.labels)}
    sent = form_at(client, address, **names)
    assert remark in client.post(reverse("check_protocol"), sent).text
    assert remark not in client.post(reverse("check_protocol"), sent | {"scheme-border": 3}).text
