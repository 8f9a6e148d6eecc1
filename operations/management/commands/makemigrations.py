"""Django's command, which ignores labels, help texts and choices: they change no table."""

from typing import Any

from django.core.management.commands import makemigrations
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.state import ProjectState

WORDS_OF_A_MODEL = ("verbose_name", "verbose_name_plural")


class AutodetectorWithoutWords(MigrationAutodetector):
    """Compares models, and writes migrations, without verbose_name, help_text and choices."""

    def __init__(self, from_state: ProjectState, to_state: ProjectState, *rest: Any) -> None:
        _remove_words(from_state)
        _remove_words(to_state)
        super().__init__(from_state, to_state, *rest)


def _remove_words(state: ProjectState) -> None:
    for model in state.models.values():
        for name in WORDS_OF_A_MODEL:
            model.options.pop(name, None)
        for field in model.fields.values():
            field.verbose_name = field._verbose_name = None
            field.help_text, field.choices = "", None


class Command(makemigrations.Command):
    autodetector = AutodetectorWithoutWords
