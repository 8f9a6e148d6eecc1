"""The app configuration of the guarded admin."""

from django.contrib.admin.apps import AdminConfig


class GuardedAdmin(AdminConfig):
    """Installed instead of django.contrib.admin."""

    default_site = "accounts.admin_site.GuardedAdminSite"
