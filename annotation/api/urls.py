"""Addresses of what is read over REST."""

from django.urls import include, path

from annotation.api.pairs import PairDetail, PairList
from annotation.api.projects import ProjectDetail, ProjectList
from annotation.api.releases import ReleaseDetail, ReleaseFile, ReleaseList
from annotation.selectors import reading
from generation.api.corpora import CorpusList
from generation.api.runs import RunDetail, RunList

project = [
    path("", ProjectDetail.as_view(), name="api_project"),
    path("pairs/", PairList.as_view(), name="api_pairs"),
    path("releases/", ReleaseList.as_view(), name="api_releases"),
]

release = [
    path("", ReleaseDetail.as_view(), name="api_release"),
    path("files/<path:path>", ReleaseFile.as_view(), name="api_release_file"),
]

urlpatterns = [
    path("projects/", ProjectList.as_view(), name="api_projects"),
    path("projects/<uuid:public_id>/", include(project)),
    path("pairs/<uuid:public_id>/", PairDetail.as_view(), name="api_pair"),
    path("releases/<uuid:public_id>/", include(release)),
    path("corpora/", CorpusList.as_view(readable=reading.corpora), name="api_corpora"),
    path("runs/", RunList.as_view(readable=reading.runs), name="api_runs"),
    path("runs/<uuid:public_id>/", RunDetail.as_view(readable=reading.runs), name="api_run"),
]
