"""Saved views: managers name the filters of a list, and all readers open them."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Project, SavedView
from annotation.projects.services import projects

MOST_VIEWS = 20


@transaction.atomic
def save(project: Project, *, page: str, name: str, query: str, by: User) -> SavedView:
    """Save a view. Raises Refused if there are MOST_VIEWS, or if one has the name."""
    projects.lock(project)  # two managers might both add the last one
    if SavedView.objects.filter(project=project, page=page).count() >= MOST_VIEWS:
        text = ngettext(
            "There is %(most)s view. Delete one first.",
            "There are %(most)s views. Delete one first.",
            MOST_VIEWS,
        )
        raise Refused(text % {"most": MOST_VIEWS})
    view = SavedView(project=project, page=page, name=name, query=query, created_by=by)
    return _stored(view)


@transaction.atomic
def rename(view: SavedView, name: str) -> None:
    """Give a view another name. Raises Refused if another has it."""
    view.name = name
    _stored(view)


def _stored(view: SavedView) -> SavedView:
    try:
        with transaction.atomic():
            view.save()
    except IntegrityError as error:
        raise Refused(_("Another view has this name.")) from error
    return view
