"""All addresses, room by room."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("annotation.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
]
