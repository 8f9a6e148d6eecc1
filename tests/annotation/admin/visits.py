"""Addresses of the admin, what a page of it costs, and who does what there."""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse


def page(model, name, *args):
    options = model._meta
    return reverse(f"admin:{options.app_label}_{options.model_name}_{name}", args=args)


def statements(client, address):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def act(client, action, *rows, **fields):
    """Choose rows of one table and do something with them; returns the page that follows."""
    chosen = {"action": action, "_selected_action": [row.pk for row in rows], **fields}
    return client.post(page(type(rows[0]), "changelist"), chosen, follow=True)
