"""URLs of the pages on evaluations of releases."""

from django.urls import URLPattern, URLResolver, include, path

from evaluation import predictions_page, views

release = [
    path("", views.evaluation, name="evaluation"),
    path("request/", views.request_evaluation, name="request_evaluation"),
    path("progress/", views.evaluation_progress, name="evaluation_progress"),
    path("cancel/", views.cancel_evaluation, name="cancel_evaluation"),
    path("predictions/", views.bring_predictions, name="bring_predictions"),
    path("predictions/remove/", views.remove_predictions, name="remove_predictions"),
    path("pairs/", predictions_page.predictions, name="predictions"),
    path("files/<path:path>", views.evaluation_file, name="evaluation_file"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path(
        "projects/<uuid:project_id>/releases/<uuid:public_id>/evaluation/",
        include(release),
    )
]
