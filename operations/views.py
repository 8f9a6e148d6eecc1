"""The status page, for staff."""

from collections.abc import Callable
from functools import wraps

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from operations import status as installation_status


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
    return render(request, "operations/status.html", {"condition": installation_status.now()})
