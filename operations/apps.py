from django.apps import AppConfig


class OperationsConfig(AppConfig):
    """Of the installation as a whole, whatever is studied in it."""

    name = "operations"
