from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """How hard a released dataset is for models."""

    name = "evaluation"
