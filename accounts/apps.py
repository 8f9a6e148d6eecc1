from django.apps import AppConfig
from django.core.checks import register

from accounts.system_checks import translations_are_compiled


class AccountsConfig(AppConfig):
    """Accounts and sign-in."""

    name = "accounts"

    def ready(self) -> None:
        register(translations_are_compiled)
