"""How people whom a platform sends come in, and how they leave.

The address with the secret and the ids only redirects to one without them. The first visit binds
the id to the browser (accounts.limits): from another one, an id alone opens nothing.
"""

import uuid
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import login
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import limits
from accounts.limits import Purpose
from accounts.models import User
from annotation.access import gates
from annotation.access.gates import Request
from annotation.crowd import selectors, services
from annotation.crowd.arrival import Arrival, NoParticipant, Preview
from annotation.crowd.forms import CodeForm
from annotation.models import Membership, Participant, Platform, Recruitment
from annotation.work import kinds

LONGEST_SECRET = 100
# Under this name, a session and the form of a page have the person whom the platform has sent.
ARRIVAL, SALT = "arrival", "annotation.crowd.arrival"
# The cookie with the number of a participant's browser.
COOKIE, COOKIE_SALT = settings.PARTICIPANT_BROWSER_COOKIE, "annotation.crowd.browser"
CONFLICT, GONE, UNPROCESSABLE = 409, 410, 422


@never_cache
@require_safe
def recruit(request: HttpRequest, link_secret: str) -> HttpResponse:
    """Store in the session who opens the link, and redirect to an address that does not say so."""
    try:
        link = selectors.find(link_secret[:LONGEST_SECRET])
    except Recruitment.DoesNotExist:
        return _page(request, "nothing", status=404)
    try:
        arrival = Arrival.read(str(link.public_id), link.platform, request.GET.dict())
    except Preview:
        return _page(request, "preview", link=link)
    except NoParticipant:
        return _page(request, "nobody", link=link, status=UNPROCESSABLE)
    request.session[ARRIVAL] = arrival.as_dict()
    reply = gates.unlisted(redirect("take_part"))
    number = _browser_number(request) or uuid.uuid4()
    limits.set_browser_cookie(reply, COOKIE, number.hex, salt=COOKIE_SALT)
    return reply


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take_part(request: HttpRequest) -> HttpResponse:
    """Show what the study is; a POST begins, or continues with the return code.

    A POST is of the person whom its page showed: another tab may have opened the link since.
    """
    arrival = _form_arrival(request) if request.method == "POST" else _session_arrival(request)
    link = _link_of(arrival) if arrival else None
    if arrival is None or link is None:
        return _page(request, "nothing", status=404)
    participant = selectors.find_participant(link, arrival.participant)
    if request.method == "POST":
        request.session[ARRIVAL] = arrival.as_dict()
        if "code" in request.POST:
            return _check_return_code(request, arrival, participant)
        return _join(request, arrival)
    if participant is None:
        offers = [kind.offer_in(link.project) for kind in kinds.named(link.kinds)]
        return _page(request, "take_part", link=link, arrival=arrival, offers=offers)
    if _is_proven(request, participant):
        return _join(request, arrival)
    return _page(request, "return", arrival=arrival)


@gates.signed_in
@never_cache
@require_safe
def finish(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Take a participant whose work has ended back to the platform, or show the code to enter."""
    member = gates.member(request, project_id)
    if not member.is_recruited:
        raise Http404
    ending = services.finish(member)
    if ending is None:
        return redirect("welcome", project_id)
    leads = ending.url.startswith(("https://", "http://"))
    is_below = ending.outcome == Participant.Outcome.NOTHING_LEFT
    if leads and not is_below:  # without the completion code, a page first says why
        return gates.unlisted(HttpResponseRedirect(ending.url))
    context = {"project": member.project, "ending": ending, "leads": leads}
    if is_below:
        context |= {"answers": selectors.answers_of(member), "least": selectors.least_of(member)}
    return render(request, "annotation/crowd/finish.html", context)


def _join(request: HttpRequest, arrival: Arrival, *, proven: User | None = None) -> HttpResponse:
    """Sign the person in to their account, which is new on a first visit."""

    def knows(user: User) -> bool:
        return user == proven or limits.known_browser(request, user) is not None

    user = request.user if isinstance(request.user, User) else None
    try:
        member = services.join(arrival, user=user, knows=knows, browser=_browser_number(request))
    except services.Closed as closed:
        return _page(request, "closed", why=str(closed), status=GONE)
    except services.NotProven:
        return redirect("take_part")
    except services.BrowserTaken:
        return _page(request, "browser_taken", status=CONFLICT)
    return _sign_in_member(request, member)


def _sign_in_member(request: HttpRequest, member: Membership) -> HttpResponse:
    user, reply = member.user, redirect("welcome", member.project.public_id)
    if request.user == user:
        return reply
    if not selectors.opens_by_link(user):  # it has a password or rights by now
        then = urlencode({"next": resolve_url("welcome", member.project.public_id)})
        return redirect(f"{resolve_url(settings.LOGIN_URL)}?{then}")
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    limits.remember_browser(reply, user)
    return reply


def _check_return_code(
    request: HttpRequest, arrival: Arrival, participant: Participant | None
) -> HttpResponse:
    """Continue in this browser if the return code is right."""
    if participant is None:
        return redirect("take_part")
    form, user = CodeForm(request.POST), participant.membership.user
    trouble = _("Enter your return code: three groups of four letters or digits.")
    if form.is_valid():
        try:
            with limits.sign_in_attempt(Purpose.CODE, user, request) as attempt:
                if selectors.is_return_code(user, form.cleaned_data["code"]):
                    attempt.succeeded()
        except ValidationError as error:
            trouble = error.messages[0]
            return _page(request, "return", arrival=arrival, trouble=trouble, status=UNPROCESSABLE)
        if attempt.is_right:
            return _join(request, arrival, proven=user)
        trouble = _("This is not the code for this participant. Check it and try again.")
    return _page(request, "return", arrival=arrival, trouble=trouble, status=UNPROCESSABLE)


def _session_arrival(request: HttpRequest) -> Arrival | None:
    return Arrival.stored(request.session.get(ARRIVAL))


def _form_arrival(request: HttpRequest) -> Arrival | None:
    """The person whom the page of a form showed; None if it was not signed here, or is too old."""
    sent, age = request.POST.get(ARRIVAL, ""), settings.SESSION_COOKIE_AGE
    try:
        return Arrival.stored(signing.loads(sent, salt=SALT, max_age=age))
    except signing.BadSignature:
        return None


def _link_of(arrival: Arrival) -> Recruitment | None:
    links = Recruitment.objects.select_related("project")
    return links.filter(public_id=arrival.recruitment).first()


def _is_proven(request: HttpRequest, participant: Participant) -> bool:
    user = participant.membership.user
    return request.user == user or limits.known_browser(request, user) is not None


def _page(
    request: HttpRequest,
    name: str,
    *,
    status: int = 200,
    link: Recruitment | None = None,
    arrival: Arrival | None = None,
    **more: object,
) -> HttpResponse:
    context = more | {"link": link, "platform": Platform(link.platform).label if link else ""}
    if arrival is not None:
        signed = signing.dumps(arrival.as_dict(), salt=SALT)
        context |= {"participant": arrival.participant, "arrival": signed}
    return gates.unlisted(render(request, f"annotation/crowd/{name}.html", context, status=status))


def _browser_number(request: HttpRequest) -> uuid.UUID | None:
    number = request.get_signed_cookie(COOKIE, default=None, salt=COOKIE_SALT, max_age=limits.YEAR)
    return uuid.UUID(number) if number else None
