"""Whether this installation sends mail."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def sends_mail() -> bool:
    return settings.SENDS_MAIL
