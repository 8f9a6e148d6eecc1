"""Addresses of the pages of an installation as a whole."""

from django.urls import path

from operations import views

urlpatterns = [path("", views.status, name="status")]
