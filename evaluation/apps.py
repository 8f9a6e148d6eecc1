from functools import partial

from django.apps import AppConfig
from django.conf import settings

from evaluation.ranking.files import FORMAT
from evaluation.ranking.verification import differences
from releases.dataset.verification import VERIFIERS


class EvaluationConfig(AppConfig):
    name = "evaluation"

    def ready(self) -> None:
        from evaluation.selectors import folders_of
        from releases.services.publication import COMPANIONS

        VERIFIERS[FORMAT] = partial(differences, version=settings.VERSION)
        COMPANIONS.append(folders_of)
