"""Delivery of a translation study: what it needs, what it makes, and that it is final."""

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounts.audited_acts import Act
from accounts.models import AuditEntry
from annotation.models import Duty, Item, Slot
from annotation.translations.selectors import figures, readiness
from annotation.translations.services import delivery, validation
from annotation.work import answers
from generation.models import Sentence
from tests.annotation import make
from tests.annotation.pages import client_of, page
from tests.annotation.translating import (
    deliver_all,
    pairs,
    people,
    study,
    translate_all,
    translate_next,
    turn,
    validate_next,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def sentences(project):
    return Item.objects.filter(project=project, kind="translate").order_by("pk")


def test_delivery_names_everything_that_is_missing(capsys):
    project = study(pairs(2), people=3, validated_share=0.0, least_validated=1)
    first, second, third = people(project)
    project.translation_plan.widened.add(first.user)
    translate_next(first, "Eins zwei drei vier.")
    translate_next(first)
    validate_next(second, "fix", "Eins zwei drei acht.")
    translate_next(third)
    with pytest.raises(delivery.NotReady) as caught:
        delivery.deliver(project)
    reasons = " ".join(caught.value.reasons)
    assert "1 sentence is not translated yet." in reasons
    assert "1 translation waits for validation." in reasons
    assert f"Of {third.user.username}, 0 of 1 translations are validated" in reasons
    assert f"rate of {first.user.username} is 20.0 %, which is not below 5.0 %" in reasons
    assert "rate of the study is 20.0 %" in reasons
    with pytest.raises(CommandError, match="can’t be delivered"):
        call_command("deliver_translations", project=project.name)
    assert reasons.split(".")[0] in capsys.readouterr().err
    assert Sentence.objects.filter(corpus__language="de").count() == 0


def test_work_that_none_of_the_people_may_do_is_named_until_somebody_is_added():
    project = study(pairs(1), people=2, validated_share=1.0)
    first, second = people(project)
    translate_next(first)
    translate_next(second, action="ambiguous")
    of_sentence = "1 of the next sentences can’t be translated"
    assert turn(first).shown is turn(second).shown is None
    assert [reason for reason in missing(project) if reason.startswith(of_sentence)]
    third = make.person(project)
    assert not [reason for reason in missing(project) if reason.startswith(of_sentence)]
    translate_next(third)
    validate_next(third)
    Duty.objects.filter(membership__in=[first, second], kind="validate").update(allowed=False)
    assert "1 of the next translations can’t be validated" in " ".join(missing(project))
    waiting = Slot.objects.filter(kind="validate", submitted_at=None)
    Item.objects.filter(slots__in=waiting).update(set_aside_at=timezone.now())
    assert "1 item is set aside. Return it to the queue" in " ".join(missing(project))
    project.is_open = False
    project.save()
    assert "The project is closed: no one gets work." in missing(project)


def missing(project):
    return readiness.obstacles(figures.of_study(figures.read(project)), str)


def test_where_all_translations_of_a_person_are_validated_their_rate_blocks_nothing():
    project = study(pairs(1), people=3, validated_share=0.0, least_validated=1)
    translate_all(project)
    for member in people(project):
        validation.widen(project, member.user)
    for member in people(project):
        while turn(member, "validate").shown:
            validate_next(member, "fix", "Ganz anders als zuvor.")
    corpus = delivery.deliver(project)
    assert [each.text for each in corpus.sentence_set.all()] == ["Ganz anders als zuvor."]


def test_final_texts_become_a_corpus_once_linked_to_their_sources(capsys):
    project = study(pairs(2), people=3, validated_share=1.0)
    given_up = sentences(project)[0]
    deliver_all(project, giving_up=given_up, text="Gleich.")
    call_command("deliver_translations", project=project.name)
    assert f"{project.name} (de)" in capsys.readouterr().out
    corpus = delivery.deliver(project)
    assert (corpus.name, corpus.language) == (f"{project.name} (de)", "de")
    [sentence] = corpus.sentence_set.all()
    done = sentences(project).exclude(pk=given_up.pk)
    assert sentence.external_id == str(done[0].sentence1.public_id)
    assert {each.sentence2 for each in done} == {sentence}
    assert sentences(project)[0].sentence2 is None
    assert list(project.corpora.all()) == [corpus]
    assert AuditEntry.objects.filter(act=Act.TRANSLATIONS_DELIVERED).count() == 1


def test_after_delivery_nothing_is_answered_or_taken_back():
    project = study(pairs(2), people=3, validated_share=1.0)
    deliver_all(project)
    for member in people(project):
        for kind in ("translate", "validate"):
            assert answers.undo(member.duty(kind)) is None
    answered = Slot.objects.filter(project=project).first()
    for act in (
        lambda: Slot.objects.filter(pk=answered.pk).update(text="Anders."),
        lambda: Slot.objects.filter(pk=answered.pk).delete(),
        lambda: Slot.objects.create(
            project=project, kind="translate", item=sentences(project)[0], number=1
        ),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()


def test_after_delivery_the_overview_leads_to_a_release():
    project = study(pairs(1), people=3, validated_share=0.0, least_validated=0)
    manager, at = client_of(project), page("overview", project)
    translate_all(project)
    assert manager.get(at).context["next_step"]["address"] == page("deliver", project)
    deliver_all(project)
    context = manager.get(at).context
    addresses = [need.address for need in context["needs"]]
    assert addresses == [context["next_step"]["address"]] == [page("draft_release", project)]
