"""Addresses of what is read and steered over REST."""

from django.urls import include, path, register_converter

from annotation.api.agreement import AgreementDetail
from annotation.api.annotators import AnnotatorList
from annotation.api.corrections import CorrectionList
from annotation.api.files import ReleaseArchive, ReleaseChecksums, ReleaseFile
from annotation.api.guests import GuestJudgmentList, GuestList
from annotation.api.judgments import JudgmentList
from annotation.api.one_pair import PairDetail
from annotation.api.pairs import PairList
from annotation.api.projects import ProjectDetail, ProjectList
from annotation.api.releases import ProjectReleaseList, ReleaseDetail, ReleaseList
from annotation.api.runs import Runs
from annotation.selectors import access, reading
from generation.api.candidates import CandidateList
from generation.api.corpora import CorpusDetail, CorpusList
from generation.api.runs import RunDetail
from generation.api.steering import ActionConverter, RunSteering

register_converter(ActionConverter, "action")

project = [
    path("", ProjectDetail.as_view(), name="api_project"),
    path("pairs/", PairList.as_view(), name="api_pairs"),
    path("judgments/", JudgmentList.as_view(), name="api_judgments"),
    path("corrections/", CorrectionList.as_view(), name="api_corrections"),
    path("agreement/", AgreementDetail.as_view(), name="api_agreement"),
    path("annotators/", AnnotatorList.as_view(), name="api_annotators"),
    path("guests/", GuestList.as_view(), name="api_guests"),
    path("releases/", ProjectReleaseList.as_view(), name="api_project_releases"),
]

release = [
    path("", ReleaseDetail.as_view(), name="api_release"),
    path("checksums/", ReleaseChecksums.as_view(), name="api_release_checksums"),
    path("archive/", ReleaseArchive.as_view(), name="api_release_archive"),
    path("files/<path:path>", ReleaseFile.as_view(), name="api_release_file"),
]

candidates = CandidateList.as_view(readable=reading.runs)
steering = RunSteering.as_view(readable=reading.runs, steerable=access.steerable)

run = [
    path("", RunDetail.as_view(readable=reading.runs), name="api_run"),
    path("candidates/", candidates, name="api_candidates"),
    path("<action:action>/", steering, name="api_run_steering"),
]

corpora = CorpusList.as_view(readable=reading.corpora)
corpus = CorpusDetail.as_view(readable=reading.corpora)

urlpatterns = [
    path("projects/", ProjectList.as_view(), name="api_projects"),
    path("projects/<uuid:public_id>/", include(project)),
    path("pairs/<uuid:public_id>/", PairDetail.as_view(), name="api_pair"),
    path("guests/<uuid:public_id>/judgments/", GuestJudgmentList.as_view(), name="api_guest"),
    path("releases/", ReleaseList.as_view(), name="api_releases"),
    path("releases/<uuid:public_id>/", include(release)),
    path("corpora/", corpora, name="api_corpora"),
    path("corpora/<path:name>/", corpus, name="api_corpus"),
    path("runs/", Runs.as_view(), name="api_runs"),
    path("runs/<uuid:public_id>/", include(run)),
]
