"""What a person replied changes nothing that anybody else sees, on any page."""

import pytest
from django.contrib import admin
from django.urls import reverse

from annotation.models import AnnotatorReply, Membership
from tests.annotation import make
from tests.annotation.pages import client_of, page, release_folder, signed_in
from tests.annotation.questions.asking import (
    FREQUENT,
    lines_that_differ,
    people_who_reply,
    reply,
    reply_of_one,
)
from tests.annotation.test_page_matrix import PAGES, address_of
from tests.studies.complete import complete_study

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def complete(module_db, tmp_path_factory):
    with release_folder(tmp_path_factory.mktemp("releases")):
        study = complete_study()
        make.with_glossary(study.project)
        yield study, reply_of_one(study.project)


@pytest.mark.parametrize("role", ["manager", "researcher", "annotator"])
def test_a_reply_changes_no_page_of_anybody_else(complete, role):
    study, one = complete
    client = client_of(study.project, role)
    Membership.objects.filter(replied_at=None).update(replied_at=one.replied_at)
    for name, rule in PAGES.items():
        if role in rule.roles:
            address = address_of(study, name)
            assert lines_that_differ(one, client, address) == set(), (name, role)


def test_a_reply_changes_no_page_of_the_admin(complete):
    study, one = complete
    client = signed_in(study.person("superuser"))
    assert AnnotatorReply not in admin.site._registry
    for model in admin.site._registry:
        route = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        addresses = [reverse(f"{route}_changelist")]
        rows = model._default_manager.all()[:1]
        addresses += [reverse(f"{route}_change", args=[row.pk]) for row in rows]
        for address in addresses:
            assert lines_that_differ(one, client, address) == set(), address


def test_what_one_replied_is_on_ones_own_page(project):
    one = reply_of_one(project)
    client, address = signed_in(one.user), page("about_me", project)
    assert lines_that_differ(one, client, address) != set()


def test_totals_tell_groups_of_at_least_five(project):
    one = reply_of_one(project)
    client = client_of(project)
    before = client.get(page("questions", project)).context["lines"]
    assert [(line.totals.people, line.totals.numbers) for line in before] == [(10, {FREQUENT: 5})]
    reply(one, FREQUENT)
    people_who_reply(project, [1] * 3)
    after = client.get(page("questions", project)).context["lines"]
    assert [(line.totals.people, line.totals.numbers) for line in after] == [(15, {FREQUENT: 8})]
