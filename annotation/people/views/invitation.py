"""Invitation pages, for people with and without an account.

The address with the secret only redirects to one without it, so that the secret stays out of
referrers, page history and screens.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.studies import INVITATION
from annotation.models import Invitation, Membership
from annotation.people.selectors import invitations as selectors
from annotation.people.selectors.invitations import State
from annotation.people.services import invitations

LONGEST_SECRET = 100


@never_cache
@require_safe
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """Store the link's invitation in the session. All invalid links get the same response."""
    try:
        invitation = selectors.find(secret[:LONGEST_SECRET])
    except Invitation.DoesNotExist:
        return _nothing(request)
    request.session[INVITATION] = str(invitation.public_id)
    return _unlisted(redirect("invited"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invited(request: HttpRequest) -> HttpResponse:
    """Show the invitation; a POST accepts it. Members are redirected to the project."""
    invitation = _remembered(request)
    if invitation is None:
        return _nothing(request)
    if request.user.is_authenticated and (place := _place(request, invitation)):
        return redirect("welcome", place.project.public_id)
    if (state := selectors.state_of(invitation)) is not State.OPEN:
        return _closed(request, invitations.Closed(state))
    if request.method == "POST":
        return _accept(request, invitation)
    return _unlisted(render(request, "annotation/entrance/join.html", {"invitation": invitation}))


def _accept(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect("invited")
    try:
        place = invitations.join(str(invitation.public_id), request.user)
    except invitations.Closed as closed:
        return _closed(request, closed)
    return redirect("welcome", place.project.public_id)


def _remembered(request: HttpRequest) -> Invitation | None:
    if (remembered := request.session.get(INVITATION)) is None:
        return None
    found = Invitation.objects.select_related("project").filter(public_id=remembered)
    return found.first()


def _place(request: HttpRequest, invitation: Invitation) -> Membership | None:
    places = invitation.project.memberships.filter(user=request.user.pk)
    return places.select_related("project").first()


def _nothing(request: HttpRequest) -> HttpResponse:
    return _unlisted(render(request, "annotation/entrance/join_nothing.html", status=404))


def _closed(request: HttpRequest, closed: invitations.Closed) -> HttpResponse:
    """Explain why the invitation is closed, without revealing anything about the project."""
    context = {"why": str(closed)}
    return _unlisted(render(request, "annotation/entrance/join_closed.html", context, status=410))


def _unlisted(reply: HttpResponse) -> HttpResponse:
    """Block search engines, and referrers on redirects."""
    reply["X-Robots-Tag"] = "noindex, nofollow"
    if reply.status_code == 302:
        reply["Referrer-Policy"] = "no-referrer"
    return reply
