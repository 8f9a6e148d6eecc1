"""The judged pairs of a study with texts, votes and labels, as a client of REST reads them."""

from typing import Any

from benchmarks.dataset.build import Clock, timed

LINES = "application/x-ndjson"


def pairs(project: Any, postgres: int) -> Clock:
    """Read all of them, a line of JSON each, by a researcher of the project.

    In this process, without a server of HTTP.
    """
    from rest_framework.test import APIClient

    from accounts.models import User
    from annotation.models import Membership

    person = User.objects.create_user("Researcher")
    Membership.objects.create(project=project, user=person, role=Membership.Role.RESEARCHER)
    client = APIClient(SERVER_NAME="localhost")
    client.force_authenticate(person)
    with timed(postgres) as clock:
        reply: Any = client.get(
            f"/api/projects/{project.public_id}/pairs/", headers={"Accept": LINES}
        )
        lines = sum(part.count(b"\n") for part in reply.streaming_content)
    if lines != project.pairs.count():
        raise RuntimeError(f"{reply.status_code}: {lines} pairs were told")
    return clock
