"""Which translations are validated, beyond those that were drawn."""

import pytest

from accounts.audited_acts import Act
from accounts.models import AuditEntry
from annotation.errors import Refused
from annotation.models import Item
from annotation.translations.selectors import figures
from annotation.translations.services import plans, validation
from tests.annotation import make
from tests.annotation.pages import page, signed_in
from tests.annotation.translating import (
    deliver_all,
    pairs,
    people,
    study,
    translate_next,
    turn,
    validate_next,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def put_up(project):
    return Item.objects.filter(project=project, kind="validate").count()


def test_widening_puts_up_all_of_a_persons_translations_now_and_from_now_on():
    project = study(pairs(3), people=3, validated_share=0.0)
    first, other, third = people(project)
    same = make.person(project)
    make.same_person(first, same)
    translate_next(first)
    translate_next(other)
    assert validation.widen(project, first.user, by=third.user) == 1
    assert validation.widen(project, first.user, by=third.user) == 0
    translate_next(first)
    translate_next(same)
    translate_next(other)
    assert put_up(project) == 3
    assert turn(first, "validate").shown is None
    assert turn(same, "validate").shown is None
    [entry] = AuditEntry.objects.filter(act=Act.TRANSLATOR_WIDENED)
    assert (entry.by, entry.details) == (third.user, {"translations": 1})


def test_a_translator_never_validates_their_own_text_whatever_accounts_are_linked_later():
    project = study(pairs(1), people=2, validated_share=1.0)
    first, second = people(project)
    translate_next(first)
    make.same_person(first, make.person(project))
    assert turn(first, "validate").shown is None
    assert turn(second, "validate").shown is not None


def test_topping_up_puts_up_the_lowest_draws_until_each_has_enough():
    project = study(pairs(5), people=3, validated_share=0.0, least_validated=2)
    first, second, _third = people(project)
    for _ in range(3):
        translate_next(first)
    translate_next(second)
    assert validation.top_up(project) == 3
    assert validation.top_up(project) == 0
    found = {each.user: each for each in figures.of_study(figures.read(project)).translators}
    assert found[first.user_id].waiting == 2
    assert found[second.user_id].waiting == 1
    assert all(each.too_few for each in found.values())


def test_the_last_translation_tops_up(django_capture_on_commit_callbacks):
    project = study(pairs(1), people=2, validated_share=0.0, least_validated=5)
    first, second = people(project)
    with django_capture_on_commit_callbacks(execute=True):
        translate_next(first)
    assert put_up(project) == 0
    with django_capture_on_commit_callbacks(execute=True):
        translate_next(second)
    assert put_up(project) == 2


def test_nothing_is_put_up_after_delivery():
    project = study(pairs(1), people=3, validated_share=1.0)
    deliver_all(project)
    first, *_ = people(project)
    for act in (lambda: validation.widen(project, first.user), lambda: validation.top_up(project)):
        with pytest.raises(Refused, match="delivered"):
            act()


def test_the_share_is_fixed_once_a_sentence_is_translated_and_other_settings_are_not():
    project = study(pairs(1), people=2)
    manager = make.person(project).user
    assert plans.change(project, {"validated_share": 0.2}, by=manager) == ["validated_share"]
    translate_next(people(project)[0])
    with pytest.raises(Exception, match="work has begun"):
        plans.change(project, {"validated_share": 0.3}, by=manager)
    assert plans.change(project, {"least_validated": 5}, by=manager) == ["least_validated"]
    last = AuditEntry.objects.filter(act=Act.PLAN_CHANGED).latest("pk")
    assert last.details == {"values": {"least_validated": [30, 5]}}


def test_rates_count_the_validators_text_as_right_and_a_rejected_one_as_all_wrong():
    project = study([("One two three four.", "Four three two one.")], people=3, validated_share=1.0)
    first, second, third = people(project)
    translate_next(first, "eins zwei drei vier fünf")
    translate_next(second, "vier drei zwei eins")
    while shown := turn(third, "validate").shown:
        fixes = shown.translation.startswith("eins")
        validate_next(third, "fix" if fixes else "reject", "eins zwei drei vier." if fixes else "")
    found = figures.of_study(figures.read(project))
    by_user = {each.user: each for each in found.translators}
    assert (by_user[first.user_id].rate.errors, by_user[first.user_id].rate.words) == (1, 5)
    assert (by_user[second.user_id].rate.errors, by_user[second.user_id].rate.words) == (4, 4)
    assert (found.overall.errors, found.overall.words) == (5, 9)
    [validator] = found.validators
    assert (validator.user, validator.looked.number, validator.validated.words) == (
        third.user_id,
        2,
        8,
    )


def test_each_person_sees_the_words_that_the_table_of_the_managers_counts():
    project = study([("One two three four.", "Five six.")], people=3, validated_share=1.0)
    first, second, third = people(project)
    translate_next(first)
    translate_next(second, action="incomplete")
    translate_next(third)
    validate_next(second, "reject")
    found = figures.of_study(figures.read(project))
    paid = {each.user: each.translated.words for each in found.translators}
    seen = {each.user_id: figures.words_of(each, "translate") for each in people(project)}
    assert seen == paid
    assert seen[second.user_id] == 0 < seen[first.user_id]
    [validator] = found.validators
    assert figures.words_of(second, "validate") == validator.validated.words in (2, 4)
    assert figures.words_of(second, "judge") is None
    shown = signed_in(third.user).get(page("me", project)).content.decode()
    assert f"<b>{seen[third.user_id]}</b> source words" in shown
