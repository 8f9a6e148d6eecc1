"""The migration that makes items of the same texts one, in databases that have such items."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from annotation.models import Consensus, Correction, Item, Judgment
from generation.models import Method
from tests.annotation import make

pytestmark = [pytest.mark.both_engines, pytest.mark.django_db]

migration = import_module("annotation.migrations.0003_merge_repeated_items")


@pytest.fixture
def before(db):
    """A database as it was before the constraint."""
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX item_once_for_texts")


def doubled(project, *, method):
    """Two items of the same texts, which came by different candidates."""
    texts = [("Ana met Bo.", "Bo met Ana."), ("Ana met Bo.", "Bo then met Ana.")]
    one, other = make.candidates(project, texts, method=method)
    type(other).objects.filter(pk=other.pk).update(text=one.text)
    items = Item.objects.filter(project=project).order_by("pk")
    items.update(texts_key=items[0].texts_key)
    return list(items)


def test_the_pair_that_was_decided_first_stays_and_all_answers_are_kept(before):
    project = make.study(judgments_per_pair=3, consensus_min_votes=2)
    first, second = doubled(project, method=Method.BACK_TRANSLATION)
    people = [make.person(project) for _ in range(5)]
    open_to = [first, second, second, second, first]
    for member, item in zip(people, open_to, strict=True):
        slot = item.slots.filter(annotator=None).earliest("number")
        slot.annotator = member.user
        slot.save()
        make.submit(member, item=item.public_id, label=1)
    late = make.person(project)
    assert make.claim(late).item_id == first.pk

    migration.merge(apps, None)

    assert project.pairs.get() == second
    assert [each.pk for each in second.duplicates.all()] == [first.pk]
    assert Judgment.objects.answered().count() == 5
    assert {each.item_id for each in Judgment.objects.counting()} == {second.pk}
    assert Consensus.objects.get().pair_id == second.pk
    assert not Judgment.objects.unanswered().exists()
    given = set(second.recusals.values_list("annotator", flat=True))
    assert given == {people[0].user_id, people[4].user_id}


def test_a_candidate_that_was_corrected_stays(before):
    project = make.study()
    first, second = doubled(project, method=Method.WORD_SWAP)
    ana = make.person(project)
    first.slots.update(queue_key=None)
    make.correct_next(ana)
    migration.merge(apps, None)
    first.refresh_from_db()
    assert first.duplicate_of_id == second.pk
    assert Correction.objects.get().item_id == second.pk


def test_a_gold_pair_of_texts_that_the_study_has_is_not_given_any_more(before):
    project = make.study(gold_every=2)
    make.pairs(project, 8)
    [gold] = make.gold_pairs(project, [1])
    ordinary = project.pairs.filter(gold_label=None).earliest("pk")
    Item.objects.filter(pk=gold.pk).update(texts_key=ordinary.texts_key)
    migration.merge(apps, None)
    ana = make.person(project)
    given = [make.judge_next(ana).item_id for _ in range(8)]
    assert make.claim(ana) is None
    assert (gold.pk in given, ordinary.pk in given) == (False, True)
