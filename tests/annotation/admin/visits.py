"""Addresses of the admin, what a page of it costs, and who does what there."""

from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User


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


def viewer_of(*models):
    """Somebody of the staff who may look at these tables and change nothing."""
    user = User.objects.create_user("viewer", is_staff=True)
    names = [f"view_{model._meta.model_name}" for model in models]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    client = Client()
    client.force_login(user)
    return client
