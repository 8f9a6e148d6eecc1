"""Addresses of the former list of annotators, which bookmarks and messages still have."""

import uuid

from django.http import HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request


@gates.signed_in
@require_safe
def to_people(request: Request, project_id: uuid.UUID, rest: str = "") -> HttpResponse:
    gates.reader(request, project_id)
    query = request.META["QUERY_STRING"]
    address = reverse("people", args=[project_id]) + rest
    return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)
