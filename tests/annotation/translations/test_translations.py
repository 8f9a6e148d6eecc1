"""Translations and validations: who gets what, what is refused, and what follows."""

import pytest
from django.db import IntegrityError, transaction

from annotation.errors import NeedsConfirmation, Refused
from annotation.models import Item, Slot, TranslatedPair
from annotation.translations.selectors import results
from annotation.translations.selectors.results import State
from annotation.work import answers, queue
from tests.annotation import make, translating
from tests.annotation.pages import signed_in
from tests.annotation.translating import people, study, translate_next, turn, validate_next

pytestmark = pytest.mark.django_db
both_engines = pytest.mark.both_engines  # for the locks and triggers of claims
ONE = [("Ada met Bo in Rome.", "Bo met Ada in Rome.")]


def states(project):
    return [result.state for result in results.of_project(project)]


def validations(project):
    return Item.objects.filter(project=project, kind="validate")


def test_each_distinct_sentence_is_translated_once_and_shown_alone():
    project = study([*ONE, ("Bo met Ada in Rome.", "In Rome, Bo met Ada.")], people=3)
    assert Item.objects.filter(project=project).count() == 3
    given = {}
    for member in people(project):
        while shown := turn(member).shown:
            assert (len(shown.sentences), shown.language, shown.target) == (1, "en", "de")
            given.setdefault(shown.sentences[0], []).append(member)
            translate_next(member)
    assert sorted(map(len, given.values())) == [1, 1, 1]
    assert states(project) == [State.TRANSLATED] * 3


@both_engines
def test_nobody_translates_both_sentences_of_a_pair_under_any_account():
    project = study(ONE, people=3)
    first, other, second = people(project)
    make.same_person(first, other)
    translate_next(first)
    assert turn(first).shown is None
    assert turn(other).shown is None
    partner = Slot.objects.get(project=project, submitted_at=None)
    for member in (first, other):
        with pytest.raises(IntegrityError, match="other sentence"), transaction.atomic():
            Slot.objects.filter(pk=partner.pk).update(annotator=member.user, person=first.user)
    assert turn(second).shown is not None
    project.translation_plan.keeps_partners_apart = False
    project.translation_plan.save()
    queue.give_back(Slot.objects.filter(pk=partner.pk))
    assert turn(people(project)[0]).shown is not None


@pytest.mark.parametrize(
    ("second", "state"),
    [
        ({"action": "incomplete"}, State.UNTRANSLATABLE),
        ({"action": "translate", "text": "Ada traf Bo."}, State.TRANSLATED),
    ],
)
def test_a_sentence_that_one_person_gives_up_gets_a_second_opinion(second, state):
    project = study(ONE, people=3)
    first, other, third = people(project)
    with pytest.raises(Refused):
        translate_next(first, action="other")
    given_up = translate_next(first, action="other", note="Who met whom?")
    assert (given_up.text, states(project)[0]) == ("Who met whom?", State.WAITING)
    assert translate_next(other, **second).item == given_up.item
    assert states(project)[0] is state
    assert turn(third).shown.id != given_up.item.public_id


@pytest.mark.parametrize("text", ["", "NS", "n/a", " - ", "ns"])
def test_a_placeholder_is_refused_by_the_service_and_by_the_database(text):
    project = study(ONE, people=1)
    [member] = people(project)
    with pytest.raises(Refused):
        translate_next(member, action="translate", text=text)
    slot = Slot.objects.get(annotator=member.user)
    answer = {"action": "translate", "text": text.strip(), "submitted_at": slot.claimed_at}
    with pytest.raises(IntegrityError), transaction.atomic():
        Slot.objects.filter(pk=slot.pk).update(**answer)


def test_an_unchanged_text_has_to_be_confirmed():
    project = study(ONE, people=1)
    [member] = people(project)
    source = turn(member).shown.sentences[0]
    with pytest.raises(NeedsConfirmation):
        translate_next(member, action="translate", text=source)
    stored = translate_next(member, action="translate_anyway", text=source)
    assert (stored.action, stored.text) == ("translate", source)


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("Ada.", True),
        ("Ada traf.", False),
        ("Ada traf Bo " + "und noch viel mehr " * 3, False),
        ("Ada traf Bo " + "und noch viel mehr " * 4, True),
    ],
)
def test_a_text_of_under_a_third_or_over_three_times_the_words_has_to_be_confirmed(text, is_asked):
    project = study([("Ada met Bo in Rome.", "Bo met Ada in Rome.")], people=1)
    [member] = people(project)
    refusal = turn(member, item=turn(member).shown.id, action="translate", text=text).refusal
    assert isinstance(refusal, NeedsConfirmation) == is_asked


def test_the_lengths_of_texts_with_and_without_spaces_are_not_compared():
    project = study(ONE, people=1)
    project.translation_plan.language = "ja"
    project.translation_plan.save()
    [member] = people(project)
    answer = {"item": turn(member).shown.id, "action": "translate", "text": "猫" * 40}
    assert turn(member, **answer).refusal is None


@both_engines
def test_another_person_validates_a_drawn_translation_and_a_fix_is_the_final_text():
    project = study(ONE, people=2, validated_share=1.0)
    first, second = people(project)
    translation = translate_next(first, "Ada traf Bo in Rom.")
    assert turn(first, "validate").shown is None
    shown = turn(second, "validate").shown
    assert (shown.translation, shown.target) == ("Ada traf Bo in Rom.", "de")
    fixed = validate_next(second, "fix", "Ada hat Bo in Rom getroffen.")
    assert (fixed.action, fixed.text) == ("fix", "Ada hat Bo in Rom getroffen.")
    result = next(each for each in results.of_project(project) if each.opinions)
    assert result.standing.slot == translation.pk
    assert result.standing.final_text == fixed.text


@both_engines
def test_a_rejected_translation_is_made_anew_by_a_third_person_and_validated():
    project = study(ONE, people=3, validated_share=0.0)
    first, second, third = people(project)
    project.translation_plan.widened.add(first.user)
    rejected = translate_next(first)
    validate_next(second, "reject")
    assert turn(first).shown is None
    new = Slot.objects.get(item=rejected.item, number=2)
    while turn(second).shown:
        assert translate_next(second).pk != new.pk
    while turn(third).shown:
        translate_next(third)
    new.refresh_from_db()
    assert new.annotator == third.user
    assert validations(project).filter(origin=new).exists()


@both_engines
def test_undo_takes_back_what_followed_until_somebody_has_it():
    project = study(ONE, people=3, validated_share=1.0)
    first, second, third = people(project)
    slot = translate_next(first)
    assert answers.undo(first.duty("translate")) == slot
    assert not validations(project).exists()
    translate_next(first, action="ambiguous")
    assert Item.objects.get(pk=slot.item_id).slot_count == 2
    assert answers.undo(first.duty("translate")) == slot
    assert Item.objects.get(pk=slot.item_id).slot_count == 1
    translate_next(first)
    validate_next(second, "reject")
    assert answers.undo(second.duty("validate")) is not None
    assert Item.objects.get(pk=slot.item_id).slot_count == 1
    validate_next(second, "reject")
    while turn(third).shown and turn(third).shown.sentences[0] != slot.item.sentence1.text:
        translate_next(third)
    assert answers.undo(second.duty("validate")) is None
    assert answers.undo(first.duty("translate")) is None


def test_no_response_to_a_translator_names_pair_or_partner():
    project = study(ONE, people=2)
    for member in people(project):
        client = signed_in(member.user)
        page = client.get(f"/projects/{project.public_id}/translate/").content.decode()
        shown = turn(member).shown.sentences[0]
        [partner] = set(ONE[0]) - {shown}
        pair = TranslatedPair.objects.get(project=project)
        assert shown in page
        assert partner not in page
        assert str(pair.public_id) not in page


def test_the_page_stores_a_translation_and_asks_before_an_unchanged_one():
    project = study(ONE, people=1)
    [member] = people(project)
    client = signed_in(member.user)
    address = f"/projects/{project.public_id}/translate/"
    shown = turn(member).shown
    posted = {"item": shown.id, "action": "translate", "text": shown.sentences[0], "seconds": "9"}
    refused = client.post(address, posted, headers={"hx-request": "true"})
    assert refused.status_code == 422
    assert "translate_anyway" in refused.content.decode()
    posted["text"] = translating.german(shown.sentences[0])
    assert client.post(address, posted, headers={"hx-request": "true"}).status_code == 200
    assert Slot.objects.get(annotator=member.user).text == posted["text"]
