from django.apps import AppConfig


class OperationsConfig(AppConfig):
    """The installation as a whole, independent of its studies."""

    name = "operations"
