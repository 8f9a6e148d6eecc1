"""Releases for tests of pages: a folder for their files, and one that is frozen."""

from contextlib import contextmanager

import pytest
from django.conf import settings

from annotation.models import Release
from annotation.services import releases
from annotation.services.releases import leasing


@contextmanager
def release_folder(path):
    """Files of releases go there; no thread prolongs the lease of one that is being built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "RELEASES_DIR", path)
        patch.setattr(leasing, "BEAT_SECONDS", 600.0)
        yield


def frozen_release(project, version="1.0"):
    draft = releases.draft(project, version=version, dev=0, test=0, unlabeled_dev=0)
    releases.queue(draft)
    assert releases.build_next()
    return Release.objects.get(pk=draft.pk)
