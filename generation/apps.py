from django.apps import AppConfig


class GenerationConfig(AppConfig):
    """From sentences to candidates."""

    name = "generation"
