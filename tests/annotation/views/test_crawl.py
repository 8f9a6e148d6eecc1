"""Every address, asked in every way by an annotator: none tells what they must not know.

The addresses come from the URL configuration, so a page that is added is crawled from its first
day. Canaries stand in every column that tells something.
"""

import re
import uuid
from collections.abc import Iterator

import pytest
from allauth.mfa.adapter import DefaultMFAAdapter
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import (
    Guest,
    GuestJudgment,
    Intervention,
    Judgment,
    Membership,
    Project,
    SentencePair,
    Skip,
)
from annotation.services import judgments
from generation.models import Candidate, GenerationRun
from tests.annotation import cast

METHODS = ["get", "head", "options", "post", "put", "patch", "delete"]
# A part of a page is asked for by these; what refuses the others looks at no header.
OF_PARTS = ["get", "post"]
OTHERS = {"first_name": "Canaryname", "last_name": "Canaryfamily", "email": "canary@example.org"}
# The first would end the crawl; the schema names all methods, and is the same for everybody.
LEAVE_OUT = {"account_logout", "api_schema"}


@pytest.fixture
def other(project: Project) -> Membership:
    """Somebody else of the project, known by canaries alone, who has done some work."""
    other = cast.person(project, role=Membership.Role.MANAGER)
    type(other.user).objects.filter(pk=other.user_id).update(username="canaryuser", **OTHERS)
    other.user.refresh_from_db()
    return other


@pytest.fixture
def canaries(project: Project, alice: Membership, other: Membership) -> list[str]:
    """A study in which everything that must not be told bears a name of its own.

    Each is longer than what an id or a token holds by chance.
    """
    [telling] = cast.candidates(project, [("Canarysource sees the mill.", "The mill sees.")])
    cast.pairs(project, 3)
    Candidate.objects.update(
        kind="canarykind",
        score=-77.125,
        source_score=-88.25,
        alternatives=[{"text": "canaryalternative", "score": -1}],
    )
    GenerationRun.objects.update(
        model_identities={"model": "canarymodel"}, settings={"canarysetting": 1}
    )
    answered = judgments.claim(other)
    judgments.submit(other, pair_public_id=answered.pair.public_id, label=1, seconds=9876543210.25)
    pair = SentencePair.objects.first()
    Skip.objects.create(
        project=project, annotator=other.user, pair=pair, reason="other", note="canarynote"
    )
    Intervention.objects.create(
        membership=other, kind="warn", reason="canaryreason", evidence={"canaryevidence": 1}
    )
    guest = Guest.objects.create(project=project, name="canaryguest", note="canaryasked")
    GuestJudgment.objects.create(guest=guest, pair=pair, label=1, score=0.66125)
    assert Judgment.objects.exclude(label=None).count() == 1
    return [
        *("canary", "-77.125", "-88.25", "0.66125", "9876543210", "9,876,543", "word_swap"),
        *("word swap", "word-swap"),
        *("back_translation", "back translation", "back-translation"),
        *(str(telling.public_id), str(telling.sentence.public_id), str(other.user.public_id)),
    ]


@pytest.fixture
def known_arguments(project: Project, other: Membership, canaries: list[str]) -> dict[str, object]:
    """A value of the study for every parameter that an address has."""
    pair = SentencePair.objects.first()
    run = GenerationRun.objects.first()
    return {
        "project_id": project.public_id,
        "pair_id": pair.public_id,
        "public_id": pair.public_id,
        "user_id": other.user.public_id,
        "person_id": other.user.public_id,
        "run_id": run.public_id,
        "invitation_id": uuid.uuid4(),
        "item_id": pair.public_id,
        "secret": "s" * 22,
        "version": "1.0",
        "path": "manifest.json",
        "table": "annotators",
        "name": "annotators",
        "step": "pause",
        "action": "pause",
        "number": 1,
        "pk": 1,
        "uidb36": "1",
        "key": "set-password",
        "handle": "0" * 16,
    }


def routes(resolver: URLResolver, before: tuple[str, ...] = ()) -> Iterator[tuple[str, URLPattern]]:
    """Each address of the configuration that has a name, without those of the admin."""
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            if entry.app_name != "admin":
                yield from routes(entry, (*before, str(entry.pattern)))
        elif entry.name and entry.name not in LEAVE_OUT:
            yield entry.name, entry


def addresses(arguments: dict[str, object]) -> list[str]:
    """One address for each route. A route with a parameter that is not known fails, to be named."""
    found = []
    for name, _ in routes(get_resolver()):
        [(_, parameters)] = get_resolver().reverse_dict.getlist(name)[0][0][:1]
        found.append(reverse(name, kwargs={each: arguments[each] for each in parameters}))
    return found


def everything_in(reply: HttpResponseBase) -> str:
    """Body, headers and cookies, in lower case."""
    body = b"".join(reply) if reply.streaming else reply.content
    return f"{body.decode(errors='replace')}\n{reply.headers}\n{reply.cookies}".lower()


FORMS = [
    {},
    {"item": "", "label": "7", "action": "nonsense", "reason": "nonsense"},
    {"label": "1", "action": "accept", "reason": "unclear", "seconds": "3"},
]


def crawl(
    client: Client, project: Project, task: str, arguments: dict[str, object], headers: dict
) -> Iterator[tuple[str, HttpResponseBase]]:
    """Every address asked in every way, with the item that the person holds and without."""
    item = client.get(reverse(task, args=[project.public_id])).context["item"].id
    for address in addresses(arguments):
        for method in OF_PARTS if headers else METHODS:
            for form in FORMS if method in ("get", "post") else FORMS[:1]:
                sent = {"item": item, **form} if method == "post" else form
                yield f"{method} {address}", getattr(client, method)(address, sent, headers=headers)


def told_in(asked: str, reply: HttpResponseBase, canaries: list[str]) -> list[str]:
    words = everything_in(reply).replace(asked.partition(" ")[2].lower(), "")
    return [each for each in canaries if each.lower() in words]


@pytest.fixture
def _without_pictures(monkeypatch):
    """To draw the QR code of a second factor takes as long as twenty pages."""
    monkeypatch.setattr(DefaultMFAAdapter, "build_totp_svg", lambda *_: "<svg></svg>")


@pytest.mark.usefixtures("_without_pictures")
@pytest.mark.parametrize("task", ["correct", "judge"])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "part"])
def test_no_address_tells_an_annotator_what_they_must_not_know(
    alice, project, canaries, known_arguments, headers, task
):
    tasks = {f"may_{each}": each == task for each in ("correct", "judge")}
    Membership.objects.filter(pk=alice.pk).update(**tasks)
    client = Client(raise_request_exception=False)
    client.force_login(alice.user)
    told, crashed = {}, []
    for asked, reply in crawl(client, project, task, known_arguments, headers):
        if found := told_in(asked, reply, canaries):
            told[asked] = found
        if reply.status_code >= 500:
            crashed.append(asked)
    assert told == {}
    assert crashed == []


def test_control_a_manager_is_told(other, project, canaries, known_arguments):
    client = Client(raise_request_exception=False)
    client.force_login(other.user)
    address = reverse("overview", args=[project.public_id])
    assert told_in(f"get {address}", client.get(address), canaries)


def test_an_answer_has_the_same_reply_before_and_after_four_others(client, project, judge_page):
    cast.pairs(project, 2)
    pair = SentencePair.objects.order_by("pk").first()
    first = _told_when_answering(client, judge_page, pair, others=0)
    assert first == _told_when_answering(client, judge_page, pair, others=4)
    assert b"Saved" in first


def _told_when_answering(client: Client, page: str, pair: SentencePair, *, others: int) -> bytes:
    """The reply to an answer on the pair, as it would be: nothing of it stays."""
    with transaction.atomic():
        item = client.get(page).context["item"].id
        assert item == pair.public_id
        for label in [1, 0, 1, 1][:others]:
            person = cast.person(pair.project)
            held = judgments.claim(person)
            assert held.pair == pair
            judgments.submit(person, pair_public_id=pair.public_id, label=label)
        reply = client.post(page, {"item": item, "label": 1}, headers={"HX-Request": "true"})
        transaction.set_rollback(True)
    # The time of day, a token that is another each time, and the name of the request.
    told = {"Expires", "Set-Cookie", "X-Request-ID"}
    headers = {name: value for name, value in reply.headers.items() if name not in told}
    body = re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", reply.content)
    return body + repr(sorted(headers.items())).encode()
