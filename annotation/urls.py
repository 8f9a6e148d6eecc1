"""Addresses of the pages."""

from django.urls import include, path

from annotation.views import correcting, home, judging, projects

project = [
    path("", projects.overview, name="overview"),
    path("guidelines/", projects.guidelines, name="guidelines"),
    path("correct/", correcting.correct, name="correct"),
    path("correct/undo/", correcting.undo_correction, name="undo_correction"),
    path("judge/", judging.judge, name="judge"),
    path("judge/undo/", judging.undo_judgment, name="undo_judgment"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("projects/<uuid:project_id>/", include(project)),
]
