"""The operator's file of webhooks: what is wrong in it, and which secrets can be used."""

import pytest

from operations import targets
from operations.targets import BadFile, BadSecret
from tests.operations.receiver import SECRET

ADDRESS = 'address = "https://lab.example/in"'


@pytest.fixture
def write(settings, tmp_path):
    file = tmp_path / "webhooks.toml"
    settings.WEBHOOKS_FILE = str(file)
    return lambda *lines: file.write_text("\n".join(["[lab]", *lines]), "utf-8")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([ADDRESS], "name either secret_file or secret_env"),
        (['secret_env = "LAB"'], "address: this is missing"),
        (['address = "lab"', 'secret_env = "LAB"'], "write the whole address"),
        (['address = "http://lab.example"', 'secret_env = "LAB"'], "use https"),
        (['address = "https://a:b@lab.example"', 'secret_env = "LAB"'], "no user, password"),
        ([ADDRESS, 'secret_env = "LAB"', 'events = ["run"]'], "no event is called run"),
        ([ADDRESS, 'secret_env = "LAB"', "projects = 1"], "a list of texts"),
        ([ADDRESS, 'secret = "LAB"'], "there is no such key"),
        (["address ="], "cannot be read"),
    ],
)
def test_the_file_says_what_is_wrong(write, lines, reason):
    write(*lines)
    with pytest.raises(BadFile, match=reason):
        targets.targets()
    [warning] = targets.check()
    assert reason in warning.msg


def test_a_secret_comes_from_the_environment(write, monkeypatch):
    write(ADDRESS, 'secret_env = "LAB_SECRET"')
    monkeypatch.setenv("LAB_SECRET", SECRET)
    assert targets.targets()["lab"].secret() == SECRET.removeprefix("whsec_")


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_c2hvcnQ=", "whsec_ä"])
def test_a_secret_that_is_none_is_refused_without_showing_it(write, monkeypatch, secret):
    write(ADDRESS, 'secret_env = "LAB_SECRET"')
    monkeypatch.setenv("LAB_SECRET", secret)
    with pytest.raises(BadSecret, match="must be whsec_ and 24 to 64 bytes in base64"):
        targets.targets()["lab"].secret()
