"""URLs of the pages about the whole installation."""

from django.urls import path

from operations import views

urlpatterns = [path("", views.status, name="status")]
