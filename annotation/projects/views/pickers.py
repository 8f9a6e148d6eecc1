"""What fits a text that a person is typing: languages and licences."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from common import languages, licences

LONGEST = 100


@gates.signed_in
@require_safe
def find_language(request: Request) -> HttpResponse:
    options = []
    for tag in languages.search(_text(request)):
        own_name = languages.own_name_of(tag)
        options.append((languages.name_of(tag), f"{own_name} · {tag}" if own_name else tag))
    return _options(request, options)


@gates.signed_in
@require_safe
def find_licence(request: Request) -> HttpResponse:
    return _options(
        request, [(name, licences.SUGGESTED[name]) for name in licences.search(_text(request))]
    )


def _text(request: Request) -> str:
    return request.GET.get("q", "")[:LONGEST]


def _options(request: Request, options: list[tuple[str, str]]) -> HttpResponse:
    return render(request, "parts/options.html", {"options": options})
