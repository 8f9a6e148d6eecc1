"""Django's admin, behind our own door."""

from django.contrib.admin.apps import AdminConfig


class GuardedAdmin(AdminConfig):
    """Installed in place of django.contrib.admin."""

    default_site = "accounts.admin_site.GuardedAdminSite"
