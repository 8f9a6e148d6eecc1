"""Addresses of the admin, what a page of it costs, and choosing rows for an action."""

from typing import Any

from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse


def page(model: type[Model], name: str, *args: object) -> str:
    options = model._meta
    return reverse(f"admin:{options.app_label}_{options.model_name}_{name}", args=args)


def statements(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def act(client: Client, action: str, *rows: Model, **fields: Any) -> Any:
    """Choose rows of one table and do something with them; returns the page that follows."""
    chosen = {"action": action, "_selected_action": [row.pk for row in rows], **fields}
    return client.post(page(type(rows[0]), "changelist"), chosen, follow=True)
