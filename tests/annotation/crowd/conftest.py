"""A manager who recruits on a platform, and the links."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.crowd import services
from annotation.models import Role
from tests.annotation import make
from tests.annotation.crowd.arriving import TAKE_PART


@pytest.fixture
def manager(project):
    return make.person(project, role=Role.MANAGER).user


@pytest.fixture
def recruit(project, manager):
    """Call it for the address of a new recruiting link, without parameters."""

    def create(**columns):
        offer = {"platform": "prolific", "kinds": ["judge"], "most_people": 3}
        offer |= {"completion_code": "DONE1", "screen_out_code": "OUT1"} | columns
        soon = timezone.now() + timedelta(days=1)
        target = offer.pop("project", project)
        _, secret = services.create(target, by=manager, expires_at=soon, **offer)
        return f"{TAKE_PART}{secret}/"

    return create


@pytest.fixture
def link(recruit):
    return recruit()
