"""Odd keys, filters and choices on every page of the admin: no fault of the server."""

from itertools import product

import pytest
from django.contrib import admin

from tests.annotation.test_admin import MODELS, page, root, study  # noqa: F401 fixtures

ODD = ("%00", "9" * 20, "abc", "%ED%A0%80")
PARAMETERS = ("q", "o", "p", "all", "e", "_facets", "x", "id", "pk__gt", "_popup", "_to_field")
LOOKUPS = ("", "__exact", "__id__exact", "__isnull", "__isempty", "__gte", "__in")
CHOSEN = ("\0", "9" * 20, "abc", "")


def asked(model):
    """The addresses of a model's pages with an odd value in each place."""
    table, shown = page(model, "changelist"), admin.site._registry[model]
    filters = [each if isinstance(each, str) else each[0] for each in named(shown.list_filter)]
    names = [*PARAMETERS, *shown.search_fields, *map("".join, product(filters, LOOKUPS))]
    for odd in ODD:
        yield from (f"{table}?{name}={odd}" for name in names)
        yield from (f"{table}{odd}/{view}/" for view in ("change", "delete", "history"))
        for view in ("add", "export", "import", "autocomplete"):
            yield f"{table}{view}/?x={odd}&project={odd}&user={odd}&_to_field={odd}"
            yield f"{table}{view}/?_changelist_filters={odd}&_popup={odd}"


def named(filters):
    return [each for each in filters if isinstance(each, str | tuple)]


def posted(model):
    table, actions = page(model, "changelist"), admin.site._registry[model].actions
    for odd in CHOSEN:
        for action in (*actions, "delete_selected", "nothing"):
            yield table, {"action": action, "_selected_action": odd, "index": odd}
        for view in ("add", "export", "import"):
            names = ("format", "project", "user", "role", "username", "position")
            yield f"{table}{view}/", dict.fromkeys(names, odd)


@pytest.mark.both_engines
@pytest.mark.django_db
def test_no_request_ends_in_an_error_of_the_server(root, study):  # noqa: F811
    root.raise_request_exception = False
    replies, faults = 0, []
    for model in MODELS:
        tries = [(root.get, address, None) for address in asked(model)]
        tries += [(root.post, address, sent) for address, sent in posted(model)]
        for ask, address, sent in tries:
            replies += 1
            if ask(address, sent).status_code >= 500:
                faults.append((address, sent))
    assert (replies > 3000, faults) == (True, [])
