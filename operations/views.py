"""Views: the status page for staff, and metrics for holders of their token."""

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from operations import status as installation_status
from operations.metrics import exposition


def staff(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Require the same access as the admin; return 404 to users who are not staff."""

    @wraps(view)
    def gate(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not (request.user.is_active and request.user.is_staff):
            raise Http404
        if not admin.site.has_permission(request):
            return admin.site.login(request)
        return view(request)

    return gate


@require_safe
@never_cache
@staff
def status(request: HttpRequest) -> HttpResponse:
    """Show workers, problems and what to do about them."""
    return render(request, "operations/status.html", {"condition": installation_status.now()})


def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics; 404 if they are disabled, 401 without their token."""
    if not settings.METRICS_TOKEN:
        return HttpResponse(status=404)
    if not constant_time_compare(
        request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}"
    ):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST, headers=headers)
