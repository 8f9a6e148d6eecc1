"""Filters for the languages of texts."""

from django import template

from common import languages

register = template.Library()
register.filter("direction", languages.direction)
register.filter("language_name", languages.name_of)
