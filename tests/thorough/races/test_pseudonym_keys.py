"""Four processes that need the key of a project at the same moment get one and the same."""

import pytest

# Each process has found no key before any of them writes one.
CODE = """
import time
from pathlib import Path
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from annotation.models import Project, PseudonymKey
from annotation.services import pseudonyms

def met():
    Path(settings.DATA_DIR, f"read-{number}").touch()
    while len(list(Path(settings.DATA_DIR).glob("read-*"))) < 4:
        time.sleep(0.01)

project = Project.objects.get()
"""
GUARDED = """
get = QuerySet.get
def get_and_meet(rows, *args, **kwargs):
    try:
        return get(rows, *args, **kwargs)
    finally:
        met()
QuerySet.get = get_and_meet
print(pseudonyms._key_of(project).hex())
"""
# Reads, and writes over what another has written meanwhile.
UNGUARDED = """
found = PseudonymKey.objects.filter(project=project).first()
met()
row = found or PseudonymKey(
    project=project, key=pseudonyms._new_key(), created_at=timezone.now()
)
PseudonymKey.objects.bulk_create(
    [row], update_conflicts=True, unique_fields=["project"], update_fields=["key"]
)
print(bytes(row.key).hex())
"""


@pytest.mark.parametrize(
    ("act", "keys"), [(GUARDED, 1), (UNGUARDED, 4)], ids=["guarded", "control"]
)
def test_processes_that_need_the_key_at_once_get_one(installation, act, keys):
    installation.run("from tests.annotation import cast; cast.study()")
    printed = installation.run_together(CODE + act, processes=4)
    assert len({each.strip() for each in printed}) == keys
