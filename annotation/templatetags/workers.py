"""What pages say of workers that are not there."""

from django import template

from common import demonstration

register = template.Library()


@register.simple_tag
def workers_come() -> bool:
    """Return whether workers start by themselves: scripts/run creates the demonstration before."""
    return demonstration.is_being_created()
