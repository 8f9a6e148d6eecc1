"""The client of endpoints against `transformers serve`, whose model writes random bytes."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from generation.endpoints.chat import (
    Endpoint,
    EndpointDown,
    EndpointRefused,
    Model,
    NoLedger,
    Request,
    digest_of,
)
from generation.endpoints.client import Chat
from support.services.servers import free_port
from tests.endpoint_server import MemoryLedger
from tests.generation.nlp.adapters import tiny

TEMPLATE = "{% for message in messages %}{{ message['content'] }}\n{% endfor %}"
REQUEST = Request((("user", "The old mill was sold."),), 0.9, 0.95, 24, seed=7)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    tiny.gpt2(folder)
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    # The server samples only if this file says so, whatever the temperature is.
    ends = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 0}
    (folder / "generation_config.json").write_text(json.dumps({"do_sample": True} | ends))
    return folder


@contextmanager
def serving(port: int):
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, **silent) as process:
        try:
            _wait_for(port, process)
            yield process
        finally:
            process.kill()


def _wait_for(port: int, process: subprocess.Popen) -> None:
    while True:
        assert process.poll() is None, "transformers serve ended"
        try:
            urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
        except URLError:
            time.sleep(0.2)
        else:
            return


@pytest.fixture(scope="module")
def chat_server():
    port = free_port()
    with serving(port):
        yield port


@pytest.fixture
def model(folder, chat_server) -> Model:
    endpoint = Endpoint("local", f"http://127.0.0.1:{chat_server}/v1", parallel=8)
    return Model(endpoint, "local:tiny", served=str(folder))


def samples(count: int) -> list[Request]:
    return [replace(REQUEST, seed=number, sample=number) for number in range(count)]


def test_seed_repeats_a_text_of_requests_one_by_one(model):
    requests = [REQUEST, replace(REQUEST, sample=1), replace(REQUEST, sample=2, seed=8)]

    texts = [next(Chat(model, NoLedger()).ask([request])).text for request in requests]

    assert texts[0] == texts[1] != texts[2]


def test_each_request_at_once_has_a_counted_answer(model):
    replies = list(Chat(model, NoLedger()).ask(samples(60)))

    assert {reply.digest for reply in replies} == {digest_of(model, r) for r in samples(60)}
    assert all(0 < reply.tokens_out <= 24 and not reply.estimated for reply in replies)
    assert all("\0" not in reply.text and reply.text.encode() for reply in replies)


def test_field_that_the_server_does_not_know_ends_the_run(model):
    unknown = replace(model, extra={"top_kk": 3})

    with pytest.raises(EndpointRefused, match=r"refused the first 20 requests: 422: .*top_kk"):
        list(Chat(unknown, NoLedger()).ask(samples(40)))


def test_killed_server_costs_only_what_was_in_flight(folder, chat_server):
    ledger, port = MemoryLedger(), free_port()
    model = Model(Endpoint("local", f"http://127.0.0.1:{port}/v1", parallel=8), "l:t", str(folder))
    with serving(port) as process:
        replies = Chat(model, ledger, tries=1).ask(samples(300))
        next(replies)
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(EndpointDown, match="local does not answer"):
            list(replies)
    before = len(ledger.replies)
    with serving(port):
        after = list(Chat(model, ledger).ask(samples(300)))

    assert 0 < before < 300
    assert len(after) == len(ledger.replies) == 300
