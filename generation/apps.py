from django.apps import AppConfig
from django.core import checks


class GenerationConfig(AppConfig):
    name = "generation"

    def ready(self) -> None:
        from generation import installed_endpoints, methods
        from generation.methods import (
            back_translation,
            definitions,
            prompted,
            translation,
            word_swap,
        )
        from generation.models import Method

        checks.register(installed_endpoints.check)
        methods.METHODS[Method.WORD_SWAP] = word_swap.METHOD
        methods.METHODS[Method.BACK_TRANSLATION] = back_translation.METHOD
        methods.METHODS[Method.PROMPTED] = prompted.METHOD
        methods.METHODS[Method.DEFINITIONS] = definitions.METHOD
        methods.METHODS[Method.TRANSLATION] = translation.METHOD
