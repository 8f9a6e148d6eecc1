"""URLs of the release endpoints."""

from django.urls import include, path

from releases.api.releases import (
    ProjectReleaseList,
    ReleaseArchive,
    ReleaseChecksums,
    ReleaseDetail,
    ReleaseFile,
    ReleaseList,
)

release = [
    path("", ReleaseDetail.as_view(), name="api_release"),
    path("checksums/", ReleaseChecksums.as_view(), name="api_release_checksums"),
    path("archive/", ReleaseArchive.as_view(), name="api_release_archive"),
    path("files/<path:path>", ReleaseFile.as_view(), name="api_release_file"),
]

urlpatterns = [
    path(
        "projects/<uuid:public_id>/releases/",
        ProjectReleaseList.as_view(),
        name="api_project_releases",
    ),
    path("releases/", ReleaseList.as_view(), name="api_releases"),
    path("releases/<uuid:public_id>/", include(release)),
]
