"""Pages on which users manage their API tokens."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import tokens as services
from accounts.forms import SCOPES, TokenForm
from accounts.models import AccessToken, User
from accounts.studies import studies

Args = ParamSpec("Args")
UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the list, without the text of the token."""

    token: AccessToken
    scope: object
    handle: str
    is_over: bool


class Request(HttpRequest):
    """A request of a signed-in user."""

    user: User


def for_readers(
    view: Callable[Concatenate[Request, Args], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Return 404 to users with nothing to read over REST (staff excepted); disable caching."""

    @login_required
    @never_cache
    @wraps(view)
    def gate(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        user = cast(User, request.user)
        if not (user.is_staff or user.is_superuser or studies().are_read_by(user)):
            raise Http404
        return view(cast(Request, request), *args, **kwargs)

    return gate


@for_readers
@require_safe
def tokens(request: Request) -> HttpResponse:
    """Show the user's tokens and the form for a new one."""
    return _page(request, TokenForm())


@for_readers
@require_POST
def create_token(request: Request) -> HttpResponse:
    """Create a token and show it; no other response ever contains it."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=UNPROCESSABLE)
    token = services.create(user=request.user, by=request.user, **form.cleaned_data)
    scope = form.cleaned_data["scope"]
    first = "api_releases" if scope == AccessToken.Scope.RELEASES else "api_projects"
    example = request.build_absolute_uri(reverse(first))
    return _page(request, TokenForm(), token=token, scope=scope, example=example)


@for_readers
@require_POST
def revoke_token(request: Request, handle: str) -> HttpResponse:
    """Revoke one of the user's tokens."""
    services.revoke(user=request.user, handle=handle)
    messages.success(request, _("The token opens nothing any more."))
    return redirect("tokens")


def _page(request: Request, form: TokenForm, *, status: int = 200, **made: str) -> HttpResponse:
    context = made | {
        "lines": list(map(_line, services.of(request.user))),
        "form": form,
    }
    return render(request, "accounts/tokens.html", context, status=status)


def _line(token: AccessToken) -> Line:
    is_over = token.expiry is not None and token.expiry <= timezone.now()
    scope = SCOPES.get(AccessToken.Scope(token.scope))
    return Line(token, scope, token.digest[: services.HANDLE], is_over)
