"""Two real workers look for a release at the same moment, on both engines, with a control."""

import json

import pytest

PREPARE = """
from annotation.services import releases
from tests.annotation import cast, judged
project = cast.study()
judged.pairs(project, [[1] * 5] * 20, by=judged.people(project, 5))
releases.queue(releases.draft(project, version="1.0", dev=0, test=0))
"""
# Each of two workers has read the waiting rows before any of them claims one.
BUILD = """
import time
from pathlib import Path
from django.conf import settings
from annotation.selectors import building as waiting_rows
from annotation.services.releases import building, leasing
read = waiting_rows.waiting
def read_and_meet(now):
    rows = list(read(now))
    Path(settings.DATA_DIR, f"read-{number}").touch()
    while len(list(Path(settings.DATA_DIR).glob("read-*"))) < 2:
        time.sleep(0.01)
    return rows
waiting_rows.waiting = read_and_meet
"""
UNGUARDED = """
def take_without_comparing(row, **columns):
    return bool(type(row)._default_manager.filter(pk=row.pk).update(**columns))
leasing.taken = take_without_comparing
"""
CLAIM_AND_BUILD = """
claimed = building.claim()
claimed and building.build(claimed)
print(claimed and claimed.attempts)
"""
OUTCOME = """
import json
from annotation.dataset.verification import verify
from annotation.models import Release
from annotation.selectors import published
from annotation.selectors.releases import folder_of
built = Release.objects.get()
wrong = list(map(str, verify(folder_of(built))))
print(json.dumps([built.state, built.examples.count(), published.is_whole(built), wrong]))
"""


@pytest.mark.parametrize(
    ("unguarded", "claims"), [("", ["1", "None"]), (UNGUARDED, ["1", "1"])], ids=["", "control"]
)
def test_two_workers_at_once_build_a_release_once(installation, unguarded, claims):
    installation.run(PREPARE)
    code = BUILD + unguarded + CLAIM_AND_BUILD
    printed = installation.run_together(code, processes=2)
    assert sorted(each.splitlines()[-1] for each in printed) == claims
    if not unguarded:
        assert json.loads(installation.run(OUTCOME)) == ["frozen", 40, True, []]
