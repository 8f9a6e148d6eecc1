"""URLs of the REST API."""

from django.urls import include, path, re_path

from annotation.access import readers
from annotation.agreement.api import AgreementDetail
from annotation.comments.api import CommentList
from annotation.crowd.api import RecruitmentList, RecruitmentRevoking
from annotation.glossary.api import TermDetail, TermList
from annotation.imports.api import Corpora, ImportList, Pairs, Sentences
from annotation.imports.labelled_api import GoldPairs, Models, Qualification
from annotation.imports.rows_api import Flashcards
from annotation.model_judgments.api import AlternativeDetail, ModelJudgmentList
from annotation.model_judgments.task_api import ModelTaskDetail, ModelTasks, ModelTaskSteering
from annotation.pairs import exclusions_api
from annotation.pairs.pair_api import PairDetail
from annotation.people.api import AnnotatorList, InvitationList
from annotation.projects.api import ProjectDetail
from annotation.projects.settings_api import STEPS, Projects, ProjectSteering, SettingsDetail
from annotation.questions.api import QuestionList
from annotation.runs.acceptance_api import AcceptanceDetail
from annotation.runs.api import GeneratorDetail, Runs
from annotation.runs.endpoints_api import EndpointList
from annotation.translations.api import DeliveryDone
from annotation.work.api import CorrectionList, JudgmentList
from annotation.work.simulated_api import SimulatedWork
from generation.api.candidates import CandidateList
from generation.api.corpora import CorpusDetail
from generation.api.runs import RunDetail, RunSteering

steps = "|".join(STEPS)
project = [
    path("", ProjectDetail.as_view(), name="api_project"),
    path("settings/", SettingsDetail.as_view(), name="api_settings"),
    path("imports/", ImportList.as_view(), name="api_imports"),
    path("pairs/", Pairs.as_view(), name="api_pairs"),
    re_path(
        f"^pairs/(?P<step>{'|'.join(exclusions_api.STEPS)})/$",
        exclusions_api.PairExclusions.as_view(),
        name="api_pairs_steering",
    ),
    path("gold-pairs/", GoldPairs.as_view(), name="api_gold_pairs"),
    path("qualification/", Qualification.as_view(), name="api_qualification"),
    path("judgments/", JudgmentList.as_view(), name="api_judgments"),
    path("corrections/", CorrectionList.as_view(), name="api_corrections"),
    path("simulated/<int:number>/<str:kind>/", SimulatedWork.as_view(), name="api_simulated_work"),
    path("agreement/", AgreementDetail.as_view(), name="api_agreement"),
    path("acceptance/", AcceptanceDetail.as_view(), name="api_acceptance"),
    path("generators/", GeneratorDetail.as_view(), name="api_generators"),
    path("annotators/", AnnotatorList.as_view(), name="api_annotators"),
    path("invitations/", InvitationList.as_view(), name="api_invitations"),
    path("recruiting/", RecruitmentList.as_view(), name="api_recruiting"),
    path(
        "recruiting/<uuid:recruitment_id>/revoke/",
        RecruitmentRevoking.as_view(),
        name="api_revoke_recruitment",
    ),
    path("questions/", QuestionList.as_view(), name="api_questions"),
    path("comments/", CommentList.as_view(), name="api_comments"),
    path("terms/", TermList.as_view(), name="api_terms"),
    path("terms/<uuid:term_id>/", TermDetail.as_view(), name="api_term"),
    path("translations/delivery/", DeliveryDone.as_view(), name="api_delivery"),
    path("models/", Models.as_view(), name="api_models"),
    path(
        "models/<uuid:model_id>/alternative/",
        AlternativeDetail.as_view(),
        name="api_alternative",
    ),
    path("model-tasks/", ModelTasks.as_view(), name="api_model_tasks"),
    re_path(
        f"^(?P<step>{'|'.join(STEPS)})/$", ProjectSteering.as_view(), name="api_project_steering"
    ),
]

candidates = CandidateList.as_view(readable=readers.runs)
steering = RunSteering.as_view(readable=readers.runs, steerable=readers.steerable_runs)

run = [
    path("", RunDetail.as_view(readable=readers.runs), name="api_run"),
    path("candidates/", candidates, name="api_candidates"),
    path("<str:action>/", steering, name="api_run_steering"),
]

corpora = Corpora.as_view(readable=readers.corpora, runs=readers.runs)
corpus = CorpusDetail.as_view(readable=readers.corpora, runs=readers.runs)
sentences = Sentences.as_view(readable=readers.corpora)

urlpatterns = [
    path("projects/", Projects.as_view(), name="api_projects"),
    path("projects/<uuid:public_id>/", include(project)),
    path("pairs/<uuid:public_id>/", PairDetail.as_view(), name="api_pair"),
    path(
        "models/<uuid:public_id>/judgments/",
        ModelJudgmentList.as_view(),
        name="api_model_judgments",
    ),
    path(
        "model-tasks/<uuid:public_id>/",
        ModelTaskDetail.as_view(),
        name="api_model_task",
    ),
    path(
        "model-tasks/<uuid:public_id>/<str:step>/",
        ModelTaskSteering.as_view(),
        name="api_model_task_steering",
    ),
    path("corpora/", corpora, name="api_corpora"),
    path("corpora/<path:name>/sentences/", sentences, name="api_sentences"),
    path("corpora/<path:name>/flashcards/", Flashcards.as_view(), name="api_flashcards"),
    path("corpora/<path:name>/", corpus, name="api_corpus"),
    path("endpoints/", EndpointList.as_view(), name="api_endpoints"),
    path("runs/", Runs.as_view(), name="api_runs"),
    path("runs/<uuid:public_id>/", include(run)),
]
