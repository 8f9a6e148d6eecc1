"""The re-issue from the command line: the same plan and the same act as on the page."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import AuditEntry
from annotation.models import Intervention, Slot
from tests.annotation import make
from tests.annotation.careless import LOOSE, small

pytestmark = pytest.mark.django_db


def run(project, **options):
    printed = StringIO()
    call_command("reissue", project=project.name, stdout=printed, **LOOSE | options)
    return printed.getvalue()


def test_a_plan_is_printed_and_changes_nothing_until_it_is_carried_out():
    project, people, _ = small([2, 1, 2, 1])
    printed = run(project, plan=True)
    table = [line.split() for line in printed.splitlines()]
    assert [people[0].user.username, "low", "-1.000", "-1.000", "4", "4"] in table
    assert [people[3].user.username, "best", "1.000", "1.000", "4"] in table
    assert "4 answers to reassign, 0 that none of the best can give." in printed
    assert not Intervention.objects.exists()
    assert run(project).endswith("4 answers excluded and reassigned.\n")
    assert Slot.objects.filter(reserved=True).count() == 4
    assert AuditEntry.objects.get(act="reissued").by is None


def test_what_cannot_be_carried_out_is_refused_with_the_reason():
    project, _, _ = small()
    for options, reason in (
        ({}, "4 answers can go to none of the best annotators.* raise --most, .* --anybody"),
        ({"fewest": 30}, "with at least 30 decided pairs .* lower --fewest"),
        ({"below": 2.0}, "--below is not between 0 and 1"),
    ):
        with pytest.raises(CommandError, match=reason):
            run(project, **options)
    assert run(project, anybody=True).endswith("4 answers excluded and reassigned.\n")
    assert not Slot.objects.filter(reserved=True).exists()


def test_it_says_why_nobody_is_low_where_votes_decide_no_label(db):
    with pytest.raises(CommandError, match="votes decide no label"):
        run(make.study(protocol="opinions"))
