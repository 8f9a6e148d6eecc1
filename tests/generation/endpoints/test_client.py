"""The client against a server that misbehaves."""

import asyncio
import logging
from dataclasses import replace

import pytest

from generation.endpoints import client
from generation.endpoints.chat import (
    EndpointDown,
    EndpointRefused,
    Go,
    Interrupted,
    NoLedger,
    Reply,
    Request,
    digest_of,
)
from generation.endpoints.client import Chat
from tests.endpoint_server import (
    FakeTime,
    MemoryLedger,
    Response,
    Server,
    echo,
    fails,
    model_of,
    says,
    sends,
    serving,
)

REQUEST = Request((("user", "The cat sleeps."),), 0.8, 0.95, 64, seed=7)
KEY = "sk-secret/0123456789"
TOP = [{"token": "1", "logprob": -0.1}, {"token": "0", "logprob": -2.5}]


def samples(count: int) -> list[Request]:
    return [replace(REQUEST, seed=number, sample=number) for number in range(count)]


def chat_with(server: Server, time: FakeTime, ledger=None, tries: int = 7, **fields) -> Chat:
    return Chat(
        model_of(server, **fields),
        ledger or NoLedger(),
        tries=tries,
        clock=time.clock,
        pause=time.pause,
    )


def ask(server: Server, *requests: Request, **options) -> list[Reply]:
    return list(chat_with(server, FakeTime(), **options).ask(requests or [REQUEST]))


def pauses(server: Server) -> list[float]:
    time = FakeTime()
    list(chat_with(server, time).ask([REQUEST]))
    return time.pauses


@pytest.mark.parametrize(
    ("response", "facts"),
    [
        (says("A cat sleeps."), {"text": "A cat sleeps.", "finish": "stop"}),
        (says("A cat sleeps."), {"tokens_in": 20, "tokens_out": 10, "estimated": False}),
        (says("A cat."), {"cost": 90, "reported": "served fp_1"}),
        (says("A cat.", usage=False), {"tokens_in": 5, "tokens_out": 2, "estimated": True}),
        (says("A cat.", usage={"prompt_tokens": -4}), {"tokens_in": 5, "estimated": True}),
        (says("<think>Hm.</think>\n\nA cat."), {"text": "A cat.", "tokens_out": 10}),
        (says("Hm, a cat.</think>A cat."), {"text": "A cat."}),
        (says("<think>Hm, a c"), {"text": ""}),
        (says(None), {"text": "", "refused": ""}),
        (says("cat " * 10_000), {"text": "cat " * 5_000, "finish": "length"}),
        (says([{"type": "thinking"}, {"type": "text", "text": "A cat."}]), {"text": "A cat."}),
        (says([7, {"type": "text", "text": 7}]), {"text": ""}),
        (says(f"Your key is {KEY}."), {"text": "Your key is [key]."}),
        (fails(400, KEY), {"refused": '400: {"error": {"message": "[key]"}}'}),
        (fails(413, "x" * 900), {"refused": f'413: {{"error": {{"message": "{"x" * 177}'}),
        (sends(b" " * 10_000_000), {"refused": "an answer of more than 1,000,000 bytes"}),
    ],
)
def test_answer_becomes_a_reply(response: Response, facts: dict[str, object]):
    with serving(response) as server:
        (reply,) = ask(server, price_in=1, price_out=7, currency="EUR", key_env="KEY_OF_TEST")

    assert len(server.bodies) == 1
    assert {name: getattr(reply, name) for name in facts} == facts


@pytest.mark.parametrize(
    "response",
    [
        *(fails(status) for status in (408, 409, 425, 429, 500, 502, 503)),
        replace(says("A cat sleeps."), is_cut=True),
        replace(says("A cat sleeps."), part_seconds=0.1),
        sends(b"<html>Please wait</html>"),
        sends(b"[" * 100_000),
        sends({"error": {"message": "busy"}}),
        sends({"choices": []}),
        sends(["choices"]),
        sends({"choices": [{"message": {"content": "half a pair: \ud83d"}}]}),
    ],
)
def test_failed_try_is_repeated(response: Response):
    with serving(response, says("A cat sleeps.")) as server:
        (reply,) = ask(server, timeout=0.3)

    assert reply.text == "A cat sleeps."
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    ("after", "pause"), [("30", 30.0), ("7200", 60.0), ("Wed, 21 Oct 2026 07:28:00 GMT", 1.0)]
)
def test_pause_that_the_server_asks_for_is_kept(after: str, pause: float):
    passing = FakeTime()
    with serving(fails(429, Retry_After=after)) as server:
        list(
            Chat(model_of(server), NoLedger(), clock=passing.clock, pause=passing.pause).ask(
                [REQUEST]
            )
        )

    assert passing.pauses == [pytest.approx(pause, rel=0.25)]


def test_pauses_double():
    passing = FakeTime()
    with serving(*[fails(503)] * 6) as server:
        list(
            Chat(model_of(server), NoLedger(), clock=passing.clock, pause=passing.pause).ask(
                [REQUEST]
            )
        )

    assert passing.pauses == [pytest.approx(pause, rel=0.25) for pause in (1, 2, 4, 8, 16, 32)]


def test_tries_end_after_five_minutes():
    with (
        serving(answer=lambda _: fails(503, Retry_After="60")) as server,
        pytest.raises(EndpointDown, match=r"local does not answer: 503"),
    ):
        ask(server)

    assert len(server.bodies) == 12  # twice six


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (fails(401, KEY), "local answered 401: its key may be wrong. Ask the administrator"),
        (fails(402), "local answered 402: its account may have no credit left"),
        (fails(403), "local answered 403"),
        (fails(404), "local answered 404: its address or the name of the model"),
        (fails(307, Location="http://127.0.0.1:1/"), "local answered 307"),
    ],
)
def test_refusal_of_all_requests_ends_at_once(response: Response, message: str):
    with (
        serving(answer=lambda _: response) as server,
        pytest.raises(EndpointRefused, match=message),
    ):
        ask(server, *samples(40), parallel=1)

    assert len(server.bodies) <= 2


def test_twenty_refused_requests_at_the_start_end_the_run():
    with (
        serving(answer=lambda _: fails(422, "unknown field: seed")) as server,
        pytest.raises(EndpointRefused, match=r"refused the first 20 requests: 422: .*seed"),
    ):
        ask(server, *samples(40))


def test_refused_requests_after_an_answer_do_not_end_the_run():
    with serving(says("A cat."), answer=lambda _: fails(400)) as server:
        replies = ask(server, *samples(40), parallel=1)

    assert sum(bool(reply.refused) for reply in replies) == 39


def test_ten_failures_in_a_row_say_that_the_server_is_down():
    with (
        serving(answer=lambda _: fails(503, "loading")) as server,
        pytest.raises(EndpointDown, match=r"local does not answer: 503: .*loading"),
    ):
        ask(server, *samples(40), tries=1, parallel=1)

    assert 10 <= len(server.bodies) <= 11


def test_nobody_listens():
    with serving() as server:
        address = server.address
    with pytest.raises(EndpointDown, match=r"the connection failed.*\.$") as error:
        ask(server)

    assert address not in str(error.value)


def test_text_that_always_fails_is_refused_alone():
    def answer(body):
        return fails(500, "bug") if body["seed"] == 3 else echo(body)

    with serving(answer=answer) as server:
        replies = ask(server, *samples(30), tries=2)

    assert [reply.refused for reply in replies if reply.refused] == [
        '500: {"error": {"message": "bug"}}'
    ]


def test_each_request_is_answered_once_by_an_unreliable_server():
    failures = [fails(429), fails(500), replace(says("no"), is_cut=True)]
    script = [failures[i % 3] if i % 10 < 3 else says("A cat.") for i in range(100)]
    with serving(*script) as server:
        replies = ask(server, *samples(60))

    model = model_of(server)
    assert sorted(reply.digest for reply in replies) == sorted(
        digest_of(model, r) for r in samples(60)
    )
    assert not any(reply.refused for reply in replies)


def test_stored_replies_are_not_asked_again():
    ledger = MemoryLedger()
    with serving() as server:
        first = ask(server, *samples(5), ledger=ledger)
        again = ask(server, *samples(8), ledger=ledger)

    assert len(server.bodies) == 8
    assert {reply.digest for reply in again[:5]} == {reply.digest for reply in first}


@pytest.mark.parametrize("go", [Go.STOPPED, Go.LATE, Go.LIMIT])
def test_replies_in_flight_are_stored_after_a_stop(go: Go):
    ledger = MemoryLedger(go=go, after=64)
    with serving() as server, pytest.raises(Interrupted) as interrupted:
        ask(server, *samples(200), ledger=ledger, parallel=4)

    assert interrupted.value.go is go
    assert 64 <= len(ledger.replies) == len(server.bodies) < 80


def test_stop_is_noticed_while_the_server_is_silent(monkeypatch):
    monkeypatch.setattr(client, "LONGEST_SILENCE", 0.05)
    monkeypatch.setattr(client, "SECONDS_TO_END", 0.1)
    with serving() as server:
        server.seconds = 600
        with pytest.raises(Interrupted):
            ask(server, *samples(40), ledger=MemoryLedger(go=Go.STOPPED))


def test_ledger_is_told_that_the_server_is_silent(monkeypatch):
    monkeypatch.setattr(client, "LONGEST_SILENCE", 0.01)
    monkeypatch.setattr(client, "SILENT_AFTER", 0.02)
    ledger = MemoryLedger()

    async def pause(_seconds: float) -> None:
        async with asyncio.timeout(10):
            while not any(ledger.silences):
                await asyncio.sleep(0.01)

    with serving(fails(503, "loading")) as server:
        list(Chat(model_of(server), ledger, pause=pause).ask([REQUEST]))

    assert ledger.silences == {
        "",
        'local does not answer: 503: {"error": {"message": "loading"}}.',
    }


def test_limit_is_nearly_used_but_never_exceeded():
    ledger = MemoryLedger(tokens=3_000)  # a reply uses 30, and reserves 79
    with serving() as server, pytest.raises(Interrupted) as interrupted:
        ask(server, *samples(200), ledger=ledger)

    assert interrupted.value.go is Go.LIMIT
    assert 3_000 - 79 < ledger.used <= 3_000


def test_limit_holds_but_for_requests_under_way_if_replies_exceed_their_reserve():
    usage = {"prompt_tokens": 20, "completion_tokens": 980}  # a request reserves 79
    ledger = MemoryLedger(tokens=10_000)
    with (
        serving(answer=lambda _: says("A cat.", usage=usage)) as server,
        pytest.raises(Interrupted),
    ):
        ask(server, *samples(200), ledger=ledger, parallel=2)

    assert ledger.used == 10_000


def test_replies_are_kept_if_the_caller_gives_up():
    ledger = MemoryLedger()
    with serving() as server:
        replies = Chat(model_of(server), ledger).ask(samples(100))
        reply = next(replies)
        replies.close()

    assert reply.digest in ledger.replies


def test_no_more_requests_are_without_a_stored_reply_than_are_allowed_at_once():
    ledger, unstored = MemoryLedger(), []

    def answer(body):
        unstored.append(len(server.bodies) - len(ledger.replies))
        return echo(body)

    with serving(answer=answer) as server:
        ask(server, *samples(100), ledger=ledger, parallel=4)

    assert max(unstored) == 4


def test_requests_a_minute_are_paced():
    passing = FakeTime()
    with serving() as server:
        chat = Chat(
            model_of(server, per_minute=120), NoLedger(), clock=passing.clock, pause=passing.pause
        )
        list(chat.ask(samples(11)))

    assert passing.now == pytest.approx(5.0)


def test_logprobs_are_those_of_the_first_token():
    choice = {"logprobs": {"content": [{"token": "1", "top_logprobs": TOP}, {"token": "."}]}}
    with serving(says("1.", choice=choice)) as server:
        (reply,) = ask(server, replace(REQUEST, logprobs=2), logprobs=True)

    assert reply.logprobs == {"1": -0.1, "0": -2.5}
    assert server.bodies[0]["top_logprobs"] == 2


@pytest.mark.parametrize(
    "logprobs", [None, [], {"content": None}, {"content": [{"top_logprobs": 1}]}]
)
def test_wrong_logprobs_are_none(logprobs: object):
    with serving(says("1.", choice={"logprobs": logprobs})) as server:
        (reply,) = ask(server, replace(REQUEST, logprobs=2), logprobs=True)

    assert reply.logprobs == {}


def test_key_is_in_the_header_alone(monkeypatch, caplog):
    monkeypatch.setenv("KEY_OF_TEST", KEY)
    caplog.set_level(logging.DEBUG)
    script = [fails(500, KEY), sends(KEY.encode()), fails(422, KEY), says(KEY)]
    with serving(*script) as server:
        chat = chat_with(server, FakeTime(), key_env="KEY_OF_TEST", parallel=1)
        shown = [*map(repr, chat.ask(samples(2)))]

    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert "[key]" in str(shown)
    assert KEY not in f"{shown} {caplog.text} {vars(chat)}"


def test_key_in_escaped_json_is_blotted_out():
    escaped = KEY.replace("/", "\\/").encode()
    with serving(Response(422, b'{"error": "' + escaped + b'"}')) as server:
        (reply,) = ask(server, key_env="KEY_OF_TEST")

    assert reply.refused == '422: {"error": "[key]"}'


def test_word_as_a_key_stays_in_texts(monkeypatch):
    monkeypatch.setenv("KEY_OF_TEST", "ollama")
    with serving(says("An ollama is no llama.")) as server:
        (reply,) = ask(server, key_env="KEY_OF_TEST")

    assert reply.text == "An ollama is no llama."


def test_without_a_key_no_authorization_is_sent():
    with serving() as server:
        ask(server)

    assert "Authorization" not in server.headers[0]


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("KEY_OF_TEST", KEY)
