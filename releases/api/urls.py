"""URLs of the release endpoints."""

from django.urls import include, path, re_path

from releases.api.comparisons import ComparisonList
from releases.api.drafts import STEPS, ProjectReleases, ReleaseChanges, ReleaseSteering
from releases.api.examples import ExampleDetail, ExampleList
from releases.api.releases import ReleaseArchive, ReleaseChecksums, ReleaseFile, ReleaseList
from releases.translations.api import TranslationList

steps = "|".join(STEPS)
release = [
    path("", ReleaseChanges.as_view(), name="api_release"),
    path("checksums/", ReleaseChecksums.as_view(), name="api_release_checksums"),
    path("archive/", ReleaseArchive.as_view(), name="api_release_archive"),
    path("files/<path:path>", ReleaseFile.as_view(), name="api_release_file"),
    re_path(f"^(?P<step>{steps})/$", ReleaseSteering.as_view(), name="api_release_steering"),
]

examples = [
    path("", ExampleList.as_view(), name="api_examples"),
    path("<uuid:public_id>/", ExampleDetail.as_view(), name="api_example"),
]

urlpatterns = [
    path(
        "projects/<uuid:public_id>/releases/",
        ProjectReleases.as_view(),
        name="api_project_releases",
    ),
    path(
        "projects/<uuid:public_id>/comparisons/",
        ComparisonList.as_view(),
        name="api_comparisons",
    ),
    path(
        "projects/<uuid:public_id>/translations/",
        TranslationList.as_view(),
        name="api_translations",
    ),
    path("releases/", ReleaseList.as_view(), name="api_releases"),
    path("releases/<uuid:public_id>/", include(release)),
    path("releases/<uuid:release_id>/examples/", include(examples)),
]
