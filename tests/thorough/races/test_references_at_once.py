"""The item of a new slot is locked: a transaction that deletes it waits, and then is refused.

As all references of annotation.models.references share one statement, one of them is enough.
"""

from contextlib import closing, contextmanager

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from annotation.models import Item, Judgment
from tests.annotation import make

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

DELETE = "DELETE FROM annotation_item WHERE id = %s"
INSERT = """
INSERT INTO annotation_slot (project_id, kind, item_id, number, reserved, action, text)
VALUES (%s, 'judge', %s, 1, false, '', '')"""


@contextmanager
def another_connection():
    """Statements on it fail as soon as they have waited for a lock."""
    with closing(connection.copy()) as other, other.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
        yield cursor


@pytest.fixture
def pair():
    """A pair without slots, to which nothing refers."""
    project = make.study()
    make.pairs(project, 1)
    pair = project.pairs.get()
    pair.slots.all().delete()
    return pair


def test_deleting_an_item_waits_for_a_new_slot_of_it(pair):
    with another_connection() as other:
        with transaction.atomic():
            Judgment.objects.create(project=pair.project, item=pair, number=1)
            with pytest.raises(OperationalError):
                other.execute(DELETE, [pair.pk])
        with pytest.raises(IntegrityError):
            other.execute(DELETE, [pair.pk])


def test_adding_a_slot_waits_for_the_deletion_of_its_item(pair):
    with another_connection() as other:
        with transaction.atomic():
            Item.objects.filter(pk=pair.pk).delete()
            with pytest.raises(OperationalError):
                other.execute(INSERT, [pair.project_id, pair.pk])
        with pytest.raises(IntegrityError):
            other.execute(INSERT, [pair.project_id, pair.pk])
