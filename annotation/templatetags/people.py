"""Names of people on a project's pages."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User

register = template.Library()


@register.simple_tag(takes_context=True)
def called(context: template.Context, user: User, *, bare: bool = False) -> SafeString:
    """Return the name that the page's `naming` gives the user; `bare` omits the <bdi> element."""
    return format_html("{}" if bare else "<bdi>{}</bdi>", context["naming"].name(user))
