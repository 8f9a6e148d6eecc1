from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    """From candidates to a release."""

    name = "annotation"
