"""Whoever reads a study without managing it is told nobody's name, on no page and in no file."""

from collections.abc import Iterable
from contextlib import suppress

import pytest
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.http import HttpResponseBase
from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts.models import User
from annotation.models import Membership
from annotation.services import corrections, interventions, judgments, same_person
from annotation.views.study.tables import TABLES
from tests.annotation import cast, judged
from tests.browser import house as houses
from tests.browser.every_page import routes
from tests.browser.house import House

CANARY, PSEUDONYM = "zzcanary", "annotator-"
# What names people to those who may know them.
NAMING = [
    "agreement",
    "annotator",
    "annotators",
    "annotators.csv",
    "corrections",
    "corrections.csv",
]
NAMING += ["leases", "leases.csv", "pair", "pairs", "pairs.csv", "skips", "skips.csv"]
ELSEWHERE = ("/accounts/", "/admin/", "/api/", "/static/")


@pytest.fixture
def house(db, settings, tmp_path) -> House:
    """A study in which everybody but the researcher has done something under a canary's name."""
    settings.RELEASES_DIR = tmp_path / "releases"
    house = houses.house()
    manager, [one, other] = house.person("manager"), _judges(house)
    for claim in (corrections.claim, judgments.claim):
        claim(house.place("annotator"))
    interventions.hold_out(other, by=manager, reason="The two agreed beforehand.")
    same_person.mark(one.user, other.user, by=manager)
    houses.disputed(house)
    judged.pairs(house.project, [[1] * 5], by=judged.people(house.project, 5))
    everybody = User.objects.exclude(pk=house.person("researcher").pk)
    everybody.update(
        username=Concat(Value(f"{CANARY}-"), F("username")),
        first_name=f"{CANARY}first",
        last_name=f"{CANARY}last",
        email=Concat(Value(f"{CANARY}-"), F("username"), Value("@example.org")),
    )
    return house


def _judges(house: House) -> list[Membership]:
    """Two who have answered the pair that the house's page is about; it shows the first."""
    people = Membership.objects.filter(
        project=house.project,
        user__judgments__pair__public_id=house.arguments["pair_id"],
    )
    first = people.get(user__public_id=house.arguments["user_id"])
    return [first, people.exclude(pk=first.pk).earliest("pk")]


def read(house: House, role: str, pages: Iterable[str]) -> dict[str, str]:
    """What somebody of the role reads on each page, but for their own name."""
    client, own = Client(), User.objects.get(pk=house.person(role).pk)
    client.force_login(own)
    everywhere = addresses(house)
    found = {name: text(client.get(everywhere[name])) for name in pages}
    return {name: told.replace(own.username, "").lower() for name, told in found.items()}


def addresses(house: House) -> dict[str, str]:
    """Of every page about the study, and of every table of it, by name."""
    found = {
        f"{each}.csv": reverse("table", args=[house.project.public_id, each]) for each in TABLES
    }
    for name in routes():
        with suppress(KeyError, NoReverseMatch):  # about something else, or over REST
            found[name] = house.address(name)
    return {name: found[name] for name in found if not found[name].startswith(ELSEWHERE)}


def text(reply: HttpResponseBase) -> str:
    """Body and headers."""
    body = b"".join(reply) if reply.streaming else reply.content
    return body.decode(errors="replace") + str(reply.headers)


def test_only_managers_are_told_names_and_researchers_pseudonyms(house):
    read_by_a_researcher = read(house, "researcher", addresses(house))
    assert [page for page, told in read_by_a_researcher.items() if CANARY in told] == []
    assert [page for page in NAMING if PSEUDONYM not in read_by_a_researcher[page]] == []
    read_by_a_manager = read(house, "manager", NAMING)
    assert [page for page, told in read_by_a_manager.items() if CANARY not in told] == []


def test_the_order_of_people_tells_a_researcher_nothing_of_their_names(project):
    cast.pairs(project, 1)
    judged.all_that_is_open(project, [1] * 5)
    client = Client()
    client.force_login(cast.person(project, role=Membership.Role.RESEARCHER).user)
    for order in ("name", "judgments", "corrections"):
        reply = client.get(reverse("annotators", args=[project.public_id]), {"order": order})
        called = reply.context["naming"]
        told = [called.of(line.person.user) for line in reply.context["lines"]]
        assert len(told) == 5
        assert told == sorted(told)
