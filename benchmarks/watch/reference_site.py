"""The reference of pages: stock Django with a session, a user, and one view that names the user.

Its settings, its address and its view; it knows nothing of the product and has a database of its
own, REFERENCE_DATABASE_URL.
"""

import os

import environ
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import path

SECRET_KEY = "only-for-this-benchmark"  # noqa: S105
DATABASES = {"default": environ.Env.db_url_config(os.environ["REFERENCE_DATABASE_URL"])}
DATABASES["default"]["CONN_MAX_AGE"] = None
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = __name__
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
USE_TZ = True


@login_required
def user_name(request: HttpRequest) -> HttpResponse:
    """Name the user: one statement for the session, and one for the user."""
    return HttpResponse(request.user.get_username())


urlpatterns = [path("", user_name)]
