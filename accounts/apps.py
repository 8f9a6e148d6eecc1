from django.apps import AppConfig
from django.core.checks import register

from accounts.system_checks import translations_are_compiled


class AccountsConfig(AppConfig):
    """People and how they sign in."""

    name = "accounts"

    def ready(self) -> None:
        """Checks are known to Django once they are registered."""
        register(translations_are_compiled)
