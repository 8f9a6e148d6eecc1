"""The app of operations, which adds its checks to `manage.py check --deploy`."""

from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "operations"

    def ready(self) -> None:
        from operations import storage  # noqa: F401 registers its check
