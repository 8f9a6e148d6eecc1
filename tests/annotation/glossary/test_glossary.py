"""The glossary: anybody proposes terms, managers approve and upload them."""

import pytest
from django.core.files.base import ContentFile

from annotation.glossary import services
from annotation.models import Term
from tests.annotation import make, translating
from tests.annotation.pages import HTMX, client_of, page, rows_of, signed_in
from tests.annotation.rest import client_of as api_client_of

pytestmark = pytest.mark.django_db
MILL = {"source": "old mill", "target": "alte Mühle", "note": "the one in town"}


@pytest.fixture
def project():
    return translating.study(people=1)


@pytest.fixture
def translator(project):
    return signed_in(translating.people(project)[0].user)


@pytest.fixture
def manager(project):
    return client_of(project)


def approved(project):
    rows = Term.objects.filter(project=project, approved_at__isnull=False)
    return list(rows.values_list("source", "target", "note"))


def test_a_proposal_from_the_work_page_is_seen_in_it_once_a_manager_has_approved_it(
    project, translator, manager
):
    reply = translator.post(page("propose_term", project), MILL, headers=HTMX)
    assert "Sent to the project managers" in reply.text
    assert approved(project) == []
    again = translator.post(page("propose_term", project), MILL | {"source": "Old Mill"})
    assert (again.status_code, Term.objects.count()) == (422, 1)
    assert "already in the list" in again.text
    listed = manager.get(page("glossary", project)).text
    assert translating.people(project)[0].user.username in listed
    term = page("term", project, Term.objects.get().public_id)
    assert translator.post(term, {"approve": 1}).status_code == 404
    manager.post(term, {"approve": 1})
    assert approved(project) == [tuple(MILL.values())]
    manager.post(term, MILL | {"target": "Altmühle"})
    assert "Altmühle" in translator.get(page("glossary", project), {"words": "MILL"}).text
    assert "Altmühle" not in translator.get(page("glossary", project), {"words": "cat"}).text
    manager.post(term, {"remove": 1})
    assert not Term.objects.exists()


def test_an_uploaded_file_says_what_became_of_each_line(project, manager):
    services.add(project, source="Rome", target="Rom")
    services.add(project, source="Paris", target="Pariss")
    services.propose(project, source="mill", target="Mühle", by=translating.people(project)[0].user)
    lines = "Source;Target;Note\nRome;Rom\nparis;Paris;the city\nmill;Mühle\nNile;\n\n;x\nOder;Oder"
    reply = manager.post(page("upload_terms", project), {"file": ContentFile(lines, "a.csv")})
    said = [(each.number, str(each.said), each.is_refused) for each in reply.context["outcomes"]]
    needed = "A term needs a text and a translation."
    assert said == [
        (2, "already in the list", False),
        (3, "changed", False),
        (4, "changed", False),
        (5, needed, True),
        (7, needed, True),
        (8, "added", False),
    ]
    assert "6 lines read. 2 lines refused." in reply.text
    assert ("Paris", "Paris", "the city") in approved(project)
    table = rows_of(manager.get(page("table", project, "glossary")))
    assert [row["source"] for row in table] == ["mill", "Oder", "Paris", "Rome"]
    for broken in ({}, {"file": ContentFile(b"", "a.csv")}):
        assert manager.post(page("upload_terms", project), broken).status_code == 422


def test_a_file_that_is_no_glossary_is_refused_with_the_reason(project):
    manager = client_of(project)
    for content, reason in (
        (b"a;b\n" * (services.MOST_TERMS + 1), "more than 5000 lines"),
        (b'a;"' + b"x" * 200_000, "Line 1 can’t be read"),
    ):
        file = ContentFile(content, "a.csv")
        reply = manager.post(page("upload_terms", project), {"file": file})
        assert (reply.status_code, reason in reply.text) == (422, True)


def test_a_full_glossary_takes_no_term_and_says_so(project, monkeypatch):
    monkeypatch.setattr(services, "MOST_TERMS", 1)
    services.add(project, source="Rome", target="Rom")
    member = translating.people(project)[0]
    reply = signed_in(member.user).post(page("propose_term", project), MILL)
    assert "The term list is full" in reply.text


def test_managers_change_the_glossary_over_rest(project):
    client = api_client_of(make.person(project, role="manager").user)
    terms = f"/api/projects/{project.public_id}/terms/"
    made = client.post(terms, MILL, format="json")
    assert (made.status_code, made.json()["approved"]) == (201, True)
    assert client.post(terms, MILL, format="json").status_code == 409
    assert client.post(terms, MILL | {"sauce": "x"}, format="json").status_code == 400
    one = f"{terms}{made.json()['id']}/"
    assert client.patch(one, {"target": "Mühle"}, format="json").json()["target"] == "Mühle"
    assert [row["id"] for row in client.get(terms).json()["results"]] == [made.json()["id"]]
    assert client.delete(one).status_code == 204
    assert client.get(one).status_code == 404
    plain = make.study()
    other = api_client_of(make.person(plain, role="manager").user)
    reply = other.post(f"/api/projects/{plain.public_id}/terms/", MILL, format="json")
    assert reply.status_code == 409
