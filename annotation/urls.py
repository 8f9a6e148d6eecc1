"""Addresses of the pages."""

from django.urls import include, path

from annotation.views import (
    correcting,
    designing,
    home,
    judging,
    project_settings,
    projects,
    recent,
)

project = [
    path("", projects.overview, name="overview"),
    path("guidelines/", projects.guidelines, name="guidelines"),
    path("settings/", project_settings.project_settings, name="project_settings"),
    path("settings/open/", project_settings.open_project, name="open_project"),
    path("settings/runs/", project_settings.let_run_in, name="let_run_in"),
    path("settings/runs/<uuid:run_id>/remove/", project_settings.keep_run_out, name="keep_run_out"),
    path("correct/", correcting.correct, name="correct"),
    path("correct/undo/", correcting.undo_correction, name="undo_correction"),
    path("correct/skip/", correcting.skip_correction, name="skip_correction"),
    path("correct/recent/", recent.recent_corrections, name="recent_corrections"),
    path("judge/", judging.judge, name="judge"),
    path("judge/undo/", judging.undo_judgment, name="undo_judgment"),
    path("judge/skip/", judging.skip_judgment, name="skip_judgment"),
    path("judge/recent/", recent.recent_judgments, name="recent_judgments"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("projects/new/", project_settings.create_project, name="create_project"),
    path("projects/preview/", designing.preview, name="preview"),
    path("projects/protocol/", designing.check_protocol, name="check_protocol"),
    path("projects/<uuid:project_id>/", include(project)),
]
