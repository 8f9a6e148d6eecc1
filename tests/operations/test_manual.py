"""The documentation in the product: every page opens, and its links lead on."""

import re
from functools import cache

import pytest

from annotation.models import Project
from annotation.templatetags import glossary
from operations import manual
from tests.annotation import make
from tests.annotation.pages import page, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(db):
    return signed_in(make.person(make.study(), role="manager").user)


def test_every_page_of_the_documentation_opens_and_no_link_of_it_is_dead(client):
    page_at = cache(client.get)
    for name in manual.names():
        reply = page_at(manual.address_of(name))
        assert reply.status_code == 200, name
        for address, _, anchor in re.findall(r'href="(/help/[^"#]*)(#([^"]*))?"', reply.text):
            target = page_at(address)
            assert target.status_code == 200, (name, address)
            assert not anchor or f'id="{anchor}"' in target.text, (name, address, anchor)


def test_nothing_but_the_documentation_is_shown(client):
    for name in ("nothing", "../README", "manager", "../config/settings/__init__"):
        assert client.get(f"/help/{name}/").status_code == 404, name


def test_each_page_of_a_project_links_to_help_that_there_is(client):
    project = Project.objects.get()
    for route in ("overview", "pairs", "people", "releases", "invitations", "project_settings"):
        text = client.get(page(route, project)).text
        [address] = re.findall(r'href="([^"]+)" aria-label="Help"', text)
        assert client.get(address).status_code == 200, route


def test_terms_on_pages_link_to_their_headings_in_the_glossary(client):
    headings = re.findall(r'<h3 id="([^"]+)"', client.get("/help/glossary/").text)
    assert set(glossary.TERMS) <= set(headings)
    project = Project.objects.get()
    for route in ("agreement", "gold_pairs", "qualification_set", "releases", "generation_runs"):
        linked = re.findall(
            r'href="/help/glossary/#([^"]+)"', client.get(page(route, project)).text
        )
        assert linked, route
        assert set(linked) <= set(headings), route


def test_annotators_read_what_is_for_them_alone():
    annotator = signed_in(make.person(make.study()).user)
    assert annotator.get("/help/").url == "/help/annotator/"
    for own in ("annotator", "operator/personal_data"):
        reply = annotator.get(f"/help/{own}/")
        assert reply.status_code == 200
        for address in re.findall(r'href="(/help/[^"]*)"', reply.text):
            assert annotator.get(address, follow=True).status_code == 200, (own, address)
    assert annotator.get("/help/manager/quality/").status_code == 404
