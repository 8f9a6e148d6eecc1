"""Filters for the languages and the licences of texts."""

from django import template

from common import languages, licences

register = template.Library()
register.filter("direction", languages.direction)
register.filter("language_name", languages.name_of)
register.filter("licence_name", licences.name_of)
