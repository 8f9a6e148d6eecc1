"""Line drawings of 20 by 20 units, within the page: they take its colour and no request."""

from functools import cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
DRAWINGS = {
    "alert": '<path d="M10 3l8 14H2zM10 8v4M10 14.5v.1"/>',
    "book": '<path d="M4 4h5l1 1 1-1h5v12h-5l-1 1-1-1H4zM10 5v12"/>',
    "box": '<path d="M3 7l7-4 7 4v7l-7 4-7-4zM3 7l7 4 7-4M10 11v7"/>',
    "chart": '<path d="M3 16h14M5 13V9M10 13V5M15 13V7"/>',
    "check": '<path d="M5 10l3.5 3.5L15 6"/><path d="M3 3h14v14H3z"/>',
    "clock": '<circle cx="10" cy="10" r="7"/><path d="M10 6v4l3 2"/>',
    "data": '<ellipse cx="10" cy="5" rx="6" ry="2"/>'
    '<path d="M4 5v10c0 1 3 2 6 2s6-1 6-2V5M4 10c0 1 3 2 6 2s6-1 6-2"/>',
    "done": '<circle cx="10" cy="10" r="7"/><path d="M7 10l2 2 4-4"/>',
    "down": '<path d="M6 8l4 4 4-4"/>',
    "download": '<path d="M10 3v10M6 9l4 4 4-4M4 17h12"/>',
    "find": '<circle cx="9" cy="9" r="5"/><path d="M13 13l4 4"/>',
    "flag": '<path d="M5 17V4h9l-2 3 2 3H5"/>',
    "home": '<path d="M3 11l7-7 7 7M5 9.5V17h10V9.5"/>',
    "information": '<circle cx="10" cy="10" r="7"/><path d="M10 9v5M10 6v.1"/>',
    "leave": '<path d="M8 4H4v12h4M9 10h8M14 7l3 3-3 3"/>',
    "letter": '<path d="M3 6h14v9H3zM3 6l7 5 7-5"/>',
    "lines": '<path d="M4 5h12M4 9h12M4 13h8"/>',
    "list": '<path d="M4 4h12v12H4zM7 8h6M7 11h4"/>',
    "menu": '<path d="M3 6h14M3 10h14M3 14h14"/>',
    "note": '<path d="M3 4h14v9H9l-4 4v-4H3z"/>',
    "pair": '<path d="M4 5h12v4H4zM4 12h12v4H4z"/>',
    "pencil": '<path d="M4 16l1-4 8-8 3 3-8 8zM4 16h0"/>',
    "people": '<circle cx="8" cy="7" r="3"/>'
    '<path d="M3 17c0-3 2-5 5-5s5 2 5 5M13 5a3 3 0 010 5M14 12c2 .5 3 2.3 3 5"/>',
    "settings": '<path d="M4 6h8M15 6h1M4 14h1M8 14h8"/>'
    '<circle cx="13.5" cy="6" r="1.7"/><circle cx="6.5" cy="14" r="1.7"/>',
    "swap": '<path d="M4 7h10l-3-3M16 13H6l3 3"/>',
}


@register.simple_tag
@cache
def icon(name: str, colour: str = "") -> SafeString:
    """Return a drawing, hidden from screen readers; the colour is a class. Raises KeyError."""
    return format_html(
        '<svg class="icon{}" viewBox="0 0 20 20" aria-hidden="true">{}</svg>',
        f" {colour}" if colour else "",
        mark_safe(DRAWINGS[name]),  # noqa: S308 constants
    )
