"""The app of operations, which adds its checks to `manage.py check`."""

from django.apps import AppConfig
from django.core import checks


class OperationsConfig(AppConfig):
    name = "operations"

    def ready(self) -> None:
        from operations import storage, targets  # noqa: F401 registers its check

        checks.register(targets.check)
