"""Who looks at a page, where it is, what its reply holds, and releases to look at."""

import csv
import io
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from common import leases
from releases.models import Release
from releases.services import drafts
from releases.services.builds import BUILDS
from tests.annotation import make

HTMX = {"HX-Request": "true"}


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def client_of(project, role="manager", **membership):
    """A new member of the project."""
    return signed_in(make.person(project, role=role, **membership).user)


def page(name, project, *args):
    return reverse(name, args=[project.public_id, *args])


def rows_of(reply):
    """The rows of a table that was downloaded."""
    text = b"".join(reply).decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text[1:], newline="")))


def statements(client, address, **query):
    with CaptureQueriesContext(connection) as captured:
        reply = client.get(address, query)
        b"".join(reply)
    assert reply.status_code == 200, address
    return len(captured)


@contextmanager
def undone():
    """What happens within is rolled back: one study serves for many changes."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def scheme_inputs(scheme):
    """What a browser sends of a scheme's rows and choices."""
    rows = enumerate(scheme.labels)
    values = {f"scheme-value-{row}": label.value for row, label in rows}
    values |= {f"scheme-name-{row}": label.name for row, label in enumerate(scheme.labels)}
    values |= {f"scheme-name-{row}": "" for row in range(scheme.size, 11)}
    values |= {f"scheme-value-{row}": "" for row in range(scheme.size, 11)}
    values |= {f"scheme-caption-{place}": text for place, text in enumerate(scheme.captions)}
    values |= {"scheme-directed": "on"} if scheme.directed else {}
    chosen = {"scheme-level": scheme.level, "scheme-rule": scheme.rule}
    return values | chosen | {"scheme-border": "" if scheme.border is None else scheme.border}


def form_at(client, address, **changes):
    """The form of a page as the browser would send it, with changes."""
    context = client.get(address).context
    values = {each.html_name: each.value() for each in context["form"]}
    if scheme := values.pop("scheme", None):
        values |= scheme_inputs(scheme)
    values |= {"read": context["read"]} if "read" in context else {}
    values |= changes
    return {name: each for name, each in values.items() if each is not None and each is not False}


@contextmanager
def release_folder(path):
    """Files of releases go there; no thread prolongs the lease of one that is being built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "RELEASES_DIR", path)
        patch.setattr(leases, "BEAT_SECONDS", 600.0)
        yield


def frozen_release(project, version="1.0"):
    draft = drafts.create_draft(project, version=version, dev=0, test=0, unlabeled_dev=0)
    drafts.queue_draft(draft)
    assert BUILDS.do_next()
    return Release.objects.get(pk=draft.pk)
