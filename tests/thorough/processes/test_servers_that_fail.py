"""Servers that fail while workers ask them: busy, off, with another key, and showing the key."""

import random

from support.services import servers
from support.services.installation import Installation
from tests.endpoint_server import Response, Server, fails, says, serving
from tests.thorough.processes.asking import (
    KEY,
    PARALLEL,
    REQUESTS,
    STEER,
    asked,
    begin,
    rewritten,
    wait_for_requests,
    wait_until,
    wait_until_done,
)
from tests.thorough.processes.asking import server as server

# A worker that gives requests up after a second, and asks a silent server every second.
HASTY = """
from datetime import timedelta
from django.core.management import call_command
from generation.endpoints import sender
from generation.services import replies
sender.LONGEST, replies.SHORTEST_WAIT = 1.0, timedelta(seconds=1)
call_command("worker", "--queue=endpoint")
"""


def test_errors_of_a_busy_server_park_no_batch(installation: Installation, server: Server) -> None:
    draw = random.Random(7)
    failures = [fails(429), fails(500), Response(is_cut=True)]
    server.answer = lambda body: draw.choice(failures) if draw.random() < 0.3 else rewritten(body)
    begin(installation, server.address)
    installation.start("worker")
    run = wait_until_done(installation)
    assert run["usage"]["replies"] == REQUESTS
    assert len(server.bodies) > REQUESTS


def test_a_run_goes_on_alone_once_its_server_is_back(installation: Installation) -> None:
    port = servers.free_port()
    begin(installation, f"http://127.0.0.1:{port}/v1")
    worker = installation.start_code(HASTY)
    with serving(answer=rewritten, port=port) as server:
        server.seconds = 0.05
        wait_for_requests(server, 3 * PARALLEL, worker)
    run = wait_until(installation, lambda run: run["paused_because"])
    assert run["state"] == "running"
    assert run["paused_because"].startswith("local does not answer")
    with serving(answer=rewritten, port=port) as server_again:
        run = wait_until_done(installation)
    assert run["usage"]["replies"] == REQUESTS
    assert (asked(server) + asked(server_again)).total() <= REQUESTS + PARALLEL


def test_a_wrong_key_pauses_a_run_at_once(installation: Installation, server: Server) -> None:
    begin(installation, server.address)
    worker = installation.start("worker", "--queue=endpoint")
    wait_for_requests(server, 3 * PARALLEL, worker)
    server.answer = lambda body: fails(401)
    run = wait_until(installation, lambda run: run["state"] != "running")
    assert (run["state"], run["attempts"], run["held"]) == ("paused", 0, 0)
    assert run["paused_because"].startswith("local answered 401")
    assert len(server.bodies) - run["usage"]["replies"] <= PARALLEL
    server.answer = rewritten
    installation.run(STEER.format("RESUME"))
    wait_until_done(installation)
    assert len(server.bodies) <= REQUESTS + PARALLEL


def test_a_worker_leaves_the_key_nowhere(installation: Installation, server: Server) -> None:
    draw = random.Random(7)
    failures = [fails(429, KEY), fails(500, KEY), fails(400, KEY)]
    answers = [*failures, *(says(f"{KEY}, they said {number}.") for number in range(7))]
    server.answer = lambda body: draw.choice(answers)
    begin(installation, server.address)
    worker = installation.start("worker", "--queue=endpoint")
    wait_for_requests(server, REQUESTS // 2, worker)
    server.answer = lambda body: fails(401, KEY)
    wait_until(installation, lambda run: run["state"] == "paused")
    worker.terminate()
    output = "".join(worker.communicate())
    assert "local answered 401" in output
    rows = installation.manage("dumpdata")
    assert "[key], they said" in rows
    files = [path for path in installation.data_dir.rglob("*") if path.is_file()]
    texts = {"rows": rows, "output": output}
    texts |= {path.name: path.read_text(errors="replace") for path in files}
    assert [name for name, text in texts.items() if KEY in text] == ["key"]
