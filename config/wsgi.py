"""The WSGI application."""

import os
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.core.wsgi import get_wsgi_application


def below(path: str, application: WSGIApplication) -> WSGIApplication:
    """Return the application for requests to addresses below a path.

    Others go through unchanged: probes ask the web server itself.
    """

    def application_below(
        environ: WSGIEnvironment, start_response: StartResponse
    ) -> Iterable[bytes]:
        rest = environ["PATH_INFO"].removeprefix(path)
        if not rest or rest.startswith("/"):
            environ["PATH_INFO"] = rest
        return application(environ, start_response)

    return application_below


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application: WSGIApplication = get_wsgi_application()
if settings.ADDRESS.path:
    application = below(settings.ADDRESS.path, application)
