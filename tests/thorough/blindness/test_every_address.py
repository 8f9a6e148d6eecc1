"""Every address, asked in every way by an annotator: none tells what they must not know.

The addresses come from the URL configuration, so a page that is added is asked from its first day.
"""

import pytest
from allauth.mfa.adapter import DefaultMFAAdapter

from tests.annotation import make
from tests.annotation.pages import HTMX, page, signed_in
from tests.annotation.test_blindness import found_in, manager_and_secrets
from tests.browser.every_page import routes
from tests.studies.complete import complete_study

METHODS = ["get", "head", "options", "post", "put", "patch", "delete"]
# A part of a page is asked for by these; what refuses the others looks at no header.
METHODS_OF_PARTS = ["get", "post"]
# The first would end the crawl; the schema names all methods, and is the same for everybody.
LEFT_OUT = {"account_logout", "api_schema"}
FORMS = [
    {},
    {"item": "", "label": "7", "action": "nonsense", "reason": "nonsense"},
    {"label": "1", "action": "accept", "reason": "unclear", "seconds": "3"},
    {"label": "0", "action": "reject", "change": "1"},
]


def requests(addresses, item, headers):
    for address in addresses:
        for method in METHODS_OF_PARTS if headers else METHODS:
            for form in FORMS if method in ("get", "post") else FORMS[:1]:
                yield method, address, {"item": item, **form} if method == "post" else form


@pytest.fixture
def study(db, settings, tmp_path):
    settings.RELEASES_DIR = tmp_path
    return complete_study()


@pytest.mark.parametrize("kind", ["correct", "judge"])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "part"])
def test_no_address_tells_an_annotator_what_they_must_not_know(study, headers, kind, monkeypatch):
    # To draw the QR code of a second factor takes as long as twenty pages.
    monkeypatch.setattr(DefaultMFAAdapter, "build_totp_svg", lambda *_: "<svg></svg>")
    other, secrets = manager_and_secrets(study.project)
    study.arguments.update(dict.fromkeys(("person_id", "user_id"), other.user.public_id))
    addresses = sorted(study.address(name) for name in set(routes()) - LEFT_OUT)
    assert len(addresses) > 100
    client = signed_in(make.person(study.project, kinds=[kind]).user)
    client.raise_request_exception = False
    item = client.get(page("work", study.project, kind)).context["item"].id
    for method, address, sent in requests(addresses, item, headers):
        reply = getattr(client, method)(address, sent, headers=headers)
        assert found_in(reply, secrets, but=address) == [], (method, address, sent)
        assert reply.status_code < 500, (method, address, sent)


def test_control_a_manager_is_told(study):
    manager, secrets = manager_and_secrets(study.project)
    reply = signed_in(manager.user).get(page("overview", study.project))
    assert "canary" in found_in(reply, secrets)
