"""The documentation as pages, for everyone who is signed in; and the icon of the browser tab."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from operations import manual


@login_required
@require_safe
def help_page(request: HttpRequest, topic: str = manual.INDEX) -> HttpResponse:
    """Show a page of the documentation. Raises Http404 for an unknown one."""
    if topic not in manual.names():
        raise Http404
    context = {
        "title": manual.title_of(topic),
        "page": manual.page(topic),
        "beside": manual.beside(topic),
        "topic": topic,
        "is_index": topic == manual.INDEX,
    }
    return render(request, "operations/help.html", context)


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect browsers that ask for the icon without reading a page's links."""
    return redirect(static("pawsmith/favicon.ico"))
