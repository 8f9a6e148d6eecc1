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
        from evaluation.shown import on_page_of_release
        from releases.services.publication import COMPANIONS
        from releases.views.release_page import FURTHER_PARTS

        VERIFIERS[FORMAT] = partial(differences, version=settings.VERSION)
        COMPANIONS.append(folders_of)
        FURTHER_PARTS.append(on_page_of_release)
