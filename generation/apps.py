from django.apps import AppConfig


class GenerationConfig(AppConfig):
    """Corpora, generation runs and candidates."""

    name = "generation"
