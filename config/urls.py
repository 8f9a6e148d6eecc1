"""URLs of all pages and of the REST API."""

from functools import cache
from typing import cast

from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView
from django.views.i18n import set_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

from common.api.endpoints import UnknownAddress
from operations import event_pages, installation
from operations.views import favicon, help_file, help_page, help_picture


class Description(SpectacularAPIView):
    """Generating the schema takes most of a second, so it is done once per format and language."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *_args: object, **_kwargs: object) -> HttpResponse:
        renderer = request.accepted_renderer
        schema = _render_schema(renderer.format, get_language() or "")
        reply = HttpResponse(schema, content_type=f"{renderer.media_type}; charset=utf-8")
        reply.headers["Content-Disposition"] = f'inline; filename="Pawsmith.{renderer.format}"'
        return reply


@cache
def _render_schema(name: str, _language: str) -> bytes:
    renderer = next(kind for kind in Description.renderer_classes if kind.format == name)
    schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    return cast(bytes, renderer().render(schema))


# The view itself does not reject other methods.
viewer = login_required(require_safe(SpectacularSwaggerSplitView.as_view(url_name="api_schema")))

api: list[URLPattern | URLResolver] = [
    path("", include("annotation.api_urls")),
    path("", include("releases.api.urls")),
    path("", include("evaluation.api")),
    path("schema/", Description.as_view(), name="api_schema"),
    path("docs/", viewer, name="api_docs"),
    # Only addresses that end in a slash: Django redirects others to these. Files have none.
    re_path(r"^releases/[^/]*/files/", UnknownAddress.as_view()),
    re_path(r"^(?:[\s\S]*/)?\Z", UnknownAddress.as_view()),
]

of_the_installation = [
    path("", installation.overview, name="installation"),
    path("people/", installation.people, name="installation_people"),
    path("people/invite/", installation.invite, name="installation_invite"),
    path(
        "people/<uuid:person_id>/password/",
        installation.password_link,
        name="installation_password_link",
    ),
    path("projects/", installation.projects, name="installation_projects"),
    path("projects/<uuid:project_id>/archive/", installation.archive, name="installation_archive"),
    path("projects/<uuid:project_id>/restore/", installation.restore, name="installation_restore"),
    path("models/", installation.models, name="installation_models"),
    path("status/", installation.show_status, name="status"),
    path("events/", event_pages.events, name="installation_events"),
    path("events/test/<slug:name>/", event_pages.send_test, name="test_target"),
    path("events/<uuid:delivery_id>/again/", event_pages.send_again, name="send_again"),
    path("log/", installation.log, name="installation_log"),
]

urlpatterns = [
    path("", include("annotation.urls")),
    path("", include("evaluation.urls")),
    path("", include("releases.urls")),
    path("accounts/", include("accounts.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("language/", set_language, name="set_language"),
    path("admin/", admin.site.urls),
    path("api/", include(api)),
    path("help/", help_page, name="help"),
    path("help/pictures/<slug:name>.png", help_picture, name="help_picture"),
    path("help/files/<str:name>", help_file, name="help_file"),
    path("help/<path:topic>/", help_page, name="help_page"),
    path("favicon.ico", favicon),
    path("installation/", include(of_the_installation)),
    path("status/", RedirectView.as_view(pattern_name="status", permanent=True)),
]

handler400 = "operations.views.bad_request"
handler500 = "operations.views.server_error"
