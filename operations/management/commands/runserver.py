"""manage.py runserver: Django’s, with the files of the pages collected first."""

import os
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.management.commands import runserver
from django.core.management import call_command
from django.utils.autoreload import DJANGO_AUTORELOAD_ENV


class Command(runserver.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Collect static files once, not at each reload: pages name them by their content."""
        if not settings.DEBUG and not os.environ.get(DJANGO_AUTORELOAD_ENV):
            call_command("collectstatic", interactive=False, verbosity=0)
        super().handle(*args, **options)
