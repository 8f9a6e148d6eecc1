"""Researchers are told no annotator's name, on no page and in no file of a study."""

from django.db.models import F, Value
from django.db.models.functions import Concat

from accounts.models import User
from annotation import urls
from annotation.models import Membership
from annotation.services import corrections, interventions, judgments, same_person
from annotation.views.study.tables import TABLES
from tests.annotation import cast, judged
from tests.annotation.views.pages import client_of, page, signed_in
from tests.annotation.views.test_page_matrix import names
from tests.browser.complete_study import complete_study

CANARY, PSEUDONYM = "zzcanary", "annotator-"
# What names people to those who may know them.
NAMING = ["agreement", "annotator", "annotators", "pair", "annotators.csv", "pairs.csv"]
NAMING += ["corrections", "corrections.csv", "leases", "leases.csv", "pairs", "skips", "skips.csv"]


def read(study, role):
    """What somebody of the role reads on each page, but for their own name."""
    own = User.objects.get(pk=study.person(role).pk)
    client = signed_in(own)
    everywhere = {f"{each}.csv": page("table", study.project, each) for each in TABLES}
    everywhere |= {name: study.address(name) for name in names(urls.urlpatterns)}
    for name, address in everywhere.items():
        reply = client.get(address)
        told = b"".join(reply).decode(errors="replace") + str(reply.headers)
        yield name, told.replace(own.username, "").lower()


def test_only_managers_are_told_names_and_researchers_pseudonyms(db, settings, tmp_path):
    settings.RELEASES_DIR = tmp_path
    study = complete_study()
    manager, researcher = study.person("manager"), study.person("researcher")
    judges = Membership.objects.filter(
        project=study.project, user__judgments__pair__public_id=study.arguments["pair_id"]
    )
    first = judges.get(user__public_id=study.arguments["user_id"])
    other = judges.exclude(pk=first.pk).earliest("pk")
    for claim in (corrections.claim, judgments.claim):
        claim(study.place("annotator"))
    interventions.hold_out(other, by=manager, reason="They agreed beforehand.")
    same_person.mark(first.user, other.user, by=manager)
    study.disputed()
    judged.pairs(study.project, [[1] * 5], by=judged.people(study.project, 5))
    User.objects.exclude(pk=researcher.pk).update(
        username=Concat(Value(f"{CANARY}-"), F("username")),
        first_name=f"{CANARY}first",
        last_name=f"{CANARY}last",
        email=Concat(Value(f"{CANARY}-"), F("username"), Value("@example.org")),
    )
    told = dict(read(study, "researcher"))
    assert [name for name in told if CANARY in told[name]] == []
    assert [name for name in NAMING if PSEUDONYM not in told[name]] == []
    told = dict(read(study, "manager"))
    assert [name for name in NAMING if CANARY not in told[name]] == []


def test_the_order_of_people_tells_a_researcher_nothing_of_their_names(project):
    cast.pairs(project, 1)
    judged.all_that_is_open(project, [1] * 5)
    client = client_of(project, "researcher")
    for order in ("name", "judgments", "corrections"):
        context = client.get(page("annotators", project), {"order": order}).context
        told = [context["naming"].of(line.person.user) for line in context["lines"]]
        assert len(told) == 5
        assert told == sorted(told)
