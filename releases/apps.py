from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    """From decided pairs to a published dataset."""

    name = "releases"

    def ready(self) -> None:
        """Register releases with the pages of annotation."""
        from annotation import registry
        from releases import additions

        registry.overview.append(additions.overview)
        registry.names_in_history.append(additions.names)
        registry.before_removing_model_judgments.append(additions.refuse_removal)
