"""The page on which people change the keys of the work pages."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.access import gates
from annotation.access.gates import Request
from annotation.work import shortcuts as keys

UNPROCESSABLE = 422


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def shortcuts(request: Request) -> HttpResponse:
    """Show the keys; a POST changes them, or resets them all."""
    if request.method != "POST":
        return _page(request, keys.ShortcutsForm(keys=keys.of(request.user)))
    form = keys.ShortcutsForm(request.POST, keys=keys.of(request.user))
    if "reset" not in request.POST and not form.is_valid():
        return _page(request, form, status=UNPROCESSABLE)
    chosen = keys.USUAL if "reset" in request.POST else form.cleaned_data
    request.user.shortcuts = keys.changed(chosen)
    request.user.save(update_fields=["shortcuts"])
    messages.success(request, _("Keys saved. They apply on every device."))
    return redirect("shortcuts")


def _page(request: Request, form: keys.ShortcutsForm, *, status: int = 200) -> HttpResponse:
    context = {"form": form, "usual": keys.USUAL}
    return render(request, "annotation/work/shortcuts.html", context, status=status)
