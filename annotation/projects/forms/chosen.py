"""The rows of a list that were chosen by their check boxes."""

import uuid

from django.http import Http404, QueryDict

CHOSEN = "chosen"
# More than any page lists.
MOST = 2000


def ids(sent: QueryDict) -> list[uuid.UUID]:
    """Return the public ids of the chosen rows, each once. Raises Http404 for anything else."""
    try:
        keys = dict.fromkeys(uuid.UUID(text) for text in sent.getlist(CHOSEN)[:MOST])
    except ValueError as error:
        raise Http404 from error
    return list(keys)
