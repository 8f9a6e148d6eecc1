"""People on the pages of a study, as the reader may know them."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User

register = template.Library()


@register.simple_tag(takes_context=True)
def called(context: template.Context, user: User, *, bare: bool = False) -> SafeString:
    """What the page's `naming` calls the person; `bare` where there can be no element."""
    return format_html("{}" if bare else "<bdi>{}</bdi>", context["naming"].of(user))
