from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "releases"

    def ready(self) -> None:
        from annotation import registry
        from releases.selectors import comparisons, published
        from releases.selectors.releases import newest_version, release_names
        from releases.services.publication import refuse_removal
        from releases.translations.selectors import labels_of
        from releases.views.summaries import overview

        registry.overview.append(overview)
        registry.names_in_history.append(release_names)
        registry.newest_version.append(newest_version)
        registry.why_complete.append((comparisons.WHY_COMPLETE, comparisons.rows_of_project))
        registry.why_complete.append((published.WHY_COMPLETE, published.rows_of_project))
        registry.compared_labels.append(comparisons.labels_of)
        registry.labels_of_pairs.append(labels_of)
        registry.before_removing_model_judgments.append(refuse_removal)
