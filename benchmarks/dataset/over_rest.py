"""The judged pairs of a study with texts, votes and labels, as a client of REST reads them."""

from typing import Any

from benchmarks.dataset.build import Clock, stopwatch

LINES = "application/x-ndjson"


def time_pairs(project: Any, postgres: int) -> Clock:
    """Read all of them as a researcher of the project, each as a line of JSON."""
    researcher = client(project)
    with stopwatch(postgres) as clock:
        lines = read_lines(researcher, f"/api/projects/{project.public_id}/pairs/")
    if lines != project.pairs.count():
        raise RuntimeError(f"{lines} pairs were listed")
    return clock


def client(project: Any) -> Any:
    """A client in this process, without an HTTP server, for a new researcher of the project."""
    from rest_framework.test import APIClient

    from accounts.models import User
    from annotation.models import Membership

    person = User.objects.create_user("Researcher")
    Membership.objects.create(project=project, user=person, role=Membership.Role.RESEARCHER)
    client = APIClient(SERVER_NAME="localhost")
    client.force_authenticate(person)
    return client


def read_lines(client: Any, address: str) -> int:
    """Read a list to its end; returns the number of its lines."""
    reply = client.get(address, headers={"Accept": LINES})
    return sum(part.count(b"\n") for part in reply.streaming_content)
