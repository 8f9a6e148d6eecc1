"""System checks of Django."""

from pathlib import Path

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.utils.translation import to_locale


def translations_are_compiled(**_options: object) -> list[CheckMessage]:
    """Check that translations are compiled: otherwise Django silently shows English pages."""
    wanted = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
    return [
        Error(
            f"The translations into {code!r} are not compiled.",
            hint="python -m scripts.translations compile",
            id="accounts.E001",
        )
        for code in wanted
        if not any(_compiled(Path(folder), code).exists() for folder in settings.LOCALE_PATHS)
    ]


def _compiled(folder: Path, code: str) -> Path:
    return folder / to_locale(code) / "LC_MESSAGES" / "django.mo"
