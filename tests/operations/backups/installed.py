"""What installations of tests do and tell of themselves; run inside an Installation."""

import json

from django.db import IntegrityError, transaction

from accounts.models import User
from annotation.models import Project, Release, Seal
from annotation.selectors.releases import folder_of
from annotation.services import projects, releases, seals
from operations.backups import databases
from tests.annotation import cast, judged

AWKWARD = "Tab\t, “quotes”, \\N and \\., 日本語 \U0001f9ea, 'single'"


def fill() -> None:
    """A study with a release and its archive, a sealed chain, and awkward text."""
    project = cast.study(description=AWKWARD)
    judged.pairs(project, [[1] * 5, [1, 1, 1, 0, 0]], by=judged.people(project, 5))
    seals.seal_waiting()
    releases.publish(releases.freeze(project, version="1.0", dev=0, test=0))


def tell() -> None:
    """The digest of all rows, their number, and where the release is."""
    census = databases.ours().census()
    folder = str(folder_of(Release.objects.get()))
    print(json.dumps({"digest": census.digest, "rows": census.rows, "folder": folder}))


def work() -> None:
    """Judge one more pair, and try what must be refused."""
    project = Project.objects.get()
    cast.pairs(project, 1)
    cast.judge_next(projects.add_member(project, User.objects.create_user("newcomer")))
    try:
        with transaction.atomic():
            Seal.objects.filter(number=1).update(digest=bytes(32))
    except IntegrityError as error:
        print(error)
