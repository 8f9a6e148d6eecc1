from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from generation import installed_endpoints
from tests.endpoint_server import fails, says, serving

FILE = """
[local]
address = "{address}"
key_file = "{key}"
[local.models.small]
served = "org/Small"
"""
KEY = "sk-secret"


@pytest.fixture
def write_file(tmp_path, settings):
    path, key = tmp_path / "endpoints.toml", tmp_path / "key"
    settings.ENDPOINTS_FILE = str(path)
    key.write_text(KEY)
    key.chmod(0o600)

    def write(address="http://127.0.0.1:8000/v1", more=""):
        path.write_text(FILE.format(address=address, key=key) + more)
        return key

    return write


def run(*arguments):
    output = StringIO()
    call_command("endpoints", *arguments, stdout=output, stderr=output)
    return output.getvalue()


def failure(*arguments):
    with pytest.raises(CommandError) as error:
        run(*arguments)
    return str(error.value)


def test_models_are_listed(write_file):
    write_file()

    assert run().splitlines() == [
        "local: http://127.0.0.1:8000/v1, 16 at once, all projects",
        "  local:small: served as org/Small",
    ]


def test_wrong_table_is_an_error(write_file):
    write_file(more="sead = true\n")

    assert "[local.models.small] sead: there is no such key." in failure()


def test_missing_key_is_an_error(write_file):
    write_file().unlink()

    assert "[local] key: its file cannot be read." in failure()


def test_key_that_all_may_read_is_a_warning(write_file):
    key = write_file()
    key.chmod(0o644)

    assert f"[local] key_file: all users can read it. Change that: chmod o= {key}" in run()


def test_without_a_file_the_command_says_what_to_set():
    assert "PAWSMITH_ENDPOINTS names no file" in failure()


def test_check_of_the_installation_shows_what_is_wrong(write_file):
    write_file(more="sead = true\n")

    [warning] = installed_endpoints.check()
    assert "[local.models.small] sead" in warning.msg


def test_change_of_the_file_is_seen_at_once(write_file):
    write_file()
    first = installed_endpoints.endpoints()
    write_file(more="[local.models.other]\n")

    assert installed_endpoints.endpoints().models.keys() - first.models.keys() == {"local:other"}


LOGPROBS = {"content": [{"top_logprobs": [{"token": "A", "logprob": -0.1}]}]}


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ([says("A."), says("A."), says("B.")], "The same seed gives the same text, another seed"),
        ([says("A."), says("C."), says("B.")], "The same seed gives another text, another seed"),
        ([says("A."), says("A."), says("A.")], "All texts are equal: the server does not sample."),
        ([says("A.", usage=False)], "(estimated: the server does not count them)"),
        ([says("<think>")], "No text within 64 tokens: the model thinks first"),
        ([says("A.")] * 4, "No log probabilities come."),
        ([says("A.")] * 3 + [says("A", choice={"logprobs": LOGPROBS})], "Write logprobs = true."),
        ([fails(422, "unknown field: seed")], "Correct served, tokens_field, extra, or write seed"),
    ],
)
def test_trial_says_what_the_model_understands(write_file, script, line):
    with serving(*script) as server:
        write_file(server.address)

        assert line in run("--check", "local:small")


def test_trial_asks_four_times(write_file):
    with serving() as server:
        write_file(server.address)
        run("--check")

    assert [body["seed"] for body in server.bodies] == [1, 1, 2, 1]


def test_trial_of_a_model_that_refuses_fails_without_the_key(write_file):
    with serving(answer=lambda _: fails(401, KEY)) as server:
        write_file(server.address)
        message = failure("--check")

    assert message.startswith("local:small: local answered 401: its key may be wrong.")
    assert KEY not in message
