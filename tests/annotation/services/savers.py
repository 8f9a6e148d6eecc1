"""Managers in processes of their own who save settings at once; run inside an Installation.

Prints one JSON object: how often settings were changed on record, and the errors that were met.
"""

import json
from functools import partial

from django.contrib.admin.models import LogEntry

from annotation.models import Role
from annotation.services import project_settings
from tests.annotation import cast
from tests.annotation.services import newcomers

CHANGE = project_settings.change.__wrapped__


def save(*, managers: int, guarded: bool = True) -> None:
    """Let all managers of a project save another pass mark, having seen the same settings."""
    project = cast.study()
    read = project_settings.stamp(project)
    people = [cast.person(project, role=Role.MANAGER).user for _ in range(managers)]
    change = partial(project_settings.change if guarded else CHANGE, project, read=read)
    saves = [
        partial(change, {"pass_mark": 50 + number}, by=person)
        for number, person in enumerate(people)
    ]
    met = newcomers.at_once(saves, guarded)
    print(json.dumps({"changes": LogEntry.objects.count(), "met": met}))
