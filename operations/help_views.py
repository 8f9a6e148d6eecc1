"""The documentation as pages; and the icon of the browser tab."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from accounts.models import User
from annotation.access import gates, readers
from annotation.access.gates import Request
from operations import manual

# The other pages tell how pairs are made and answers are checked, which may sway who judges them.
FOR_ANNOTATORS = ("annotator", "operator/personal_data")


@gates.signed_in
@require_safe
def help_page(request: Request, topic: str = manual.INDEX) -> HttpResponse:
    """Show a page of the documentation; annotators have few. Raises Http404 for others."""
    reads_all = _reads_all(request.user)
    if not reads_all and topic not in FOR_ANNOTATORS:
        if topic != manual.INDEX:
            raise Http404
        return redirect("help_page", FOR_ANNOTATORS[0])
    if topic not in manual.names():
        raise Http404
    context = {
        "title": manual.title_of(topic),
        "page": manual.page(topic),
        "beside": manual.beside(topic) if reads_all else (),
        "topic": topic,
        "is_index": topic == manual.INDEX,
    }
    return render(request, "operations/help.html", context)


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect browsers that ask for the icon without reading a page's links."""
    return redirect(static("pawsmith/favicon.ico"))


def _reads_all(user: User) -> bool:
    """Return whether the person reads results, may create projects, or runs the installation."""
    return user.is_staff or readers.projects(user).exists() or readers.may_create(user)
