"""Every address, asked in every way by an annotator: none tells what they must not know.

The addresses come from the URL configuration, so a page that is added is asked from its first day.
"""

import uuid

import pytest
from allauth.mfa.adapter import DefaultMFAAdapter
from django.urls import URLResolver, get_resolver, reverse

from annotation.models import SentencePair
from generation.models import GenerationRun
from tests.annotation import cast
from tests.annotation.views import canaries
from tests.annotation.views.pages import HTMX, page, signed_in

METHODS = ["get", "head", "options", "post", "put", "patch", "delete"]
# A part of a page is asked for by these; what refuses the others looks at no header.
METHODS_OF_PARTS = ["get", "post"]
# The first would end the crawl; the schema names all methods, and is the same for everybody.
LEFT_OUT = {"account_logout", "api_schema"}
FORMS = [
    {},
    {"item": "", "label": "7", "action": "nonsense", "reason": "nonsense"},
    {"label": "1", "action": "accept", "reason": "unclear", "seconds": "3"},
]


def addresses_of(project, other):
    """One for each route; a parameter that is not named here is a KeyError."""
    pair, person = SentencePair.objects.first().public_id, other.user.public_id
    arguments = {
        "project_id": project.public_id,
        **dict.fromkeys(["pair_id", "public_id", "item_id"], pair),
        **dict.fromkeys(["user_id", "person_id"], person),
        "run_id": GenerationRun.objects.first().public_id,
        "invitation_id": uuid.uuid4(),
        "secret": "s" * 22,
        "path": "manifest.json",
        **dict.fromkeys(["table", "name"], "annotators"),
        **dict.fromkeys(["step", "action"], "pause"),
        **dict.fromkeys(["number", "pk"], 1),
        "uidb36": "1",
        "key": "set-password",
        "handle": "0" * 16,
    }
    found = []
    for name in set(names(get_resolver())) - LEFT_OUT:
        [(_, parameters)] = get_resolver().reverse_dict.getlist(name)[0][0][:1]
        found.append(reverse(name, kwargs={each: arguments[each] for each in parameters}))
    return sorted(found)


def names(resolver):
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver) and entry.app_name != "admin":
            yield from names(entry)
        elif getattr(entry, "name", None):
            yield entry.name


def requests(addresses, item, headers):
    for address in addresses:
        for method in METHODS_OF_PARTS if headers else METHODS:
            for form in FORMS if method in ("get", "post") else FORMS[:1]:
                yield method, address, {"item": item, **form} if method == "post" else form


@pytest.mark.parametrize("task", ["correct", "judge"])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_no_address_tells_an_annotator_what_they_must_not_know(db, headers, task, monkeypatch):
    project = cast.study()
    other, secrets = canaries.manager_and_secrets(project)
    addresses = addresses_of(project, other)
    # To draw the QR code of a second factor takes as long as twenty pages.
    monkeypatch.setattr(DefaultMFAAdapter, "build_totp_svg", lambda *_: "<svg></svg>")
    tasks = {f"may_{each}": each == task for each in ("correct", "judge")}
    client = signed_in(cast.person(project, **tasks).user)
    client.raise_request_exception = False
    item = client.get(page(task, project)).context["item"].id
    assert len(addresses) > 100
    for method, address, sent in requests(addresses, item, headers):
        reply = getattr(client, method)(address, sent, headers=headers)
        assert canaries.found_in(reply, secrets, but=address) == [], (method, address, sent)
        assert reply.status_code < 500, (method, address, sent)


def test_control_a_manager_is_told(db):
    project = cast.study()
    manager, secrets = canaries.manager_and_secrets(project)
    reply = signed_in(manager.user).get(page("overview", project))
    assert "canary" in canaries.found_in(reply, secrets)
