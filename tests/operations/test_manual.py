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


def test_a_notebook_is_shown_with_what_it_prints(client):
    text = client.get("/help/researcher/reading_a_release/").text
    assert '<h2 id="agreement">' in text
    assert "1830 answers about 366 pairs" in text


@pytest.mark.parametrize(
    ("page_name", "file"),
    [
        ("researcher/reading_a_release", "reading_a_release.ipynb"),
        ("researcher/reading_a_release", "demonstration-finished-1.0.tar.gz"),
        ("researcher/rest", "study.py"),
    ],
)
def test_a_page_offers_the_files_that_it_is_about(client, page_name, file):
    [address] = re.findall(rf'href="([^"]+/{file})"', client.get(f"/help/{page_name}/").text)
    reply = client.get(address)
    assert reply.headers["Content-Disposition"].startswith("attachment")
    assert reply.content == (manual.FILES / file).read_bytes()


def test_annotators_get_no_file():
    annotator = signed_in(make.person(make.study()).user)
    assert annotator.get("/help/files/study.py").status_code == 404


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


def found(words, language="en", within=None):
    hits = manual.search(words, language, within or manual.names())
    return [(hit.passage.name, hit.passage.heading) for hit in hits]


def test_a_title_is_found_before_a_heading_and_that_before_a_text():
    hits = manual.search("gold pairs", "en", manual.names())
    ranks = [hit.passage.rank(["gold", "pairs"]) for hit in hits]
    assert ("manager/quality", "Gold pairs") in found("gold pairs")
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 1
    assert found("starting study")[0] == ("manager/study", "Starting a study")


def test_a_word_that_is_everywhere_has_no_more_than_20_hits():
    assert len(found("pairs")) == 20


def test_an_excerpt_is_a_part_of_the_text_around_the_words():
    [*_, hit] = manual.search("noncharacters", "en", manual.names())
    before, match, after = hit.excerpt
    assert match == "noncharacters"
    assert f"{before}{match}{after}".strip("… ") in hit.passage.text


def test_the_search_leads_to_headings_that_there_are(client):
    text = client.get("/help/", {"q": "gold pairs"}).text
    links = re.findall(r'<a href="(/help/[^"#]+)#([^"]+)"><b>', text)
    assert links
    for address, anchor in links:
        assert f'id="{anchor}"' in client.get(address).text


def test_annotators_find_only_what_is_for_them():
    annotator = signed_in(make.person(make.study()).user)
    text = annotator.get("/help/", {"q": "answers"}).text
    assert "/help/annotator/" in text
    assert "/help/manager" not in text


def test_pages_are_in_the_order_of_the_index():
    titles = [entry.name for entry in manual.neighbours("manager/study")]
    assert titles[:3] == ["manager/study", "manager/importing", "manager/generation"]


def test_germans_read_german_where_it_is_written(client):
    german = {"Accept-Language": "de"}
    text = client.get("/help/annotator/", headers=german).text
    assert '<article class="pane prose" lang="de">' in text
    assert "nur auf Englisch" not in text
    assert "nur auf Englisch" in client.get("/help/manager/study/", headers=german).text
    assert ("annotator", "Übersetzen") in found("Muttersprache", "de")


def test_only_pages_for_operators_show_what_is_typed_in_a_shell(client):
    folded = "<summary>In a shell</summary><pre"
    assert folded in client.get("/help/manager/importing/").text
    operating = client.get("/help/operator/backups/").text
    assert ("pawsmith restore" in operating, folded in operating) == (True, False)
