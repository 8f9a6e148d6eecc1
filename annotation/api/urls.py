"""Addresses of what is read and steered over REST."""

from django.urls import include, path, register_converter

from annotation.api.pairs import PairDetail, PairList
from annotation.api.projects import ProjectDetail, ProjectList
from annotation.api.releases import ReleaseDetail, ReleaseFile, ReleaseList
from annotation.api.runs import Runs
from annotation.selectors import access, reading
from generation.api.candidates import CandidateList
from generation.api.corpora import CorpusList
from generation.api.runs import RunDetail
from generation.api.steering import ActionConverter, RunSteering

register_converter(ActionConverter, "action")

project = [
    path("", ProjectDetail.as_view(), name="api_project"),
    path("pairs/", PairList.as_view(), name="api_pairs"),
    path("releases/", ReleaseList.as_view(), name="api_releases"),
]

release = [
    path("", ReleaseDetail.as_view(), name="api_release"),
    path("files/<path:path>", ReleaseFile.as_view(), name="api_release_file"),
]

candidates = CandidateList.as_view(readable=reading.runs)
steering = RunSteering.as_view(readable=reading.runs, steerable=access.steerable)

run = [
    path("", RunDetail.as_view(readable=reading.runs), name="api_run"),
    path("candidates/", candidates, name="api_candidates"),
    path("<action:action>/", steering, name="api_run_steering"),
]

urlpatterns = [
    path("projects/", ProjectList.as_view(), name="api_projects"),
    path("projects/<uuid:public_id>/", include(project)),
    path("pairs/<uuid:public_id>/", PairDetail.as_view(), name="api_pair"),
    path("releases/<uuid:public_id>/", include(release)),
    path("corpora/", CorpusList.as_view(readable=reading.corpora), name="api_corpora"),
    path("runs/", Runs.as_view(), name="api_runs"),
    path("runs/<uuid:public_id>/", include(run)),
]
