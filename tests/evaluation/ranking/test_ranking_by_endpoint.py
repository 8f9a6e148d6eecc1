"""`make_ranking --back-translate` with a chat model: replies are kept, paid once, and limited."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from evaluation.ranking.files import read_back_translated
from tests.endpoint_server import says, serving
from tests.evaluation.ranking.test_files import PAIRS, tell

pytestmark = pytest.mark.django_db
NAMES = ("--forward", "local:small", "--backward", "local:small", "--pivot", "da")


def answer(body):
    """Translate any sentence into one of two."""
    content = body["messages"][-1]["content"]
    return says("A fox lived there ." if "into English" in content else "En ræv boede der .")


@pytest.fixture
def model(settings, tmp_path):
    settings.ENDPOINTS_FILE = str(tmp_path / "endpoints.toml")
    with serving(answer=answer) as server:
        Path(settings.ENDPOINTS_FILE).write_text(
            f'[local]\naddress = "{server.address}"\n[local.models.small]\n'
        )
        yield server


@pytest.fixture
def make(tmp_path):
    table = tmp_path / "pairs.tsv"
    rows = [f"{number}\t{one}\t{other}\t1\n" for number, (one, other) in enumerate(PAIRS[:2])]
    table.write_text("".join(("id\tsentence1\tsentence2\tlabel\n", *rows)))

    def make(*options):
        tell("make_ranking", table, "--out", tmp_path / "out", "--back-translate", *options)
        return read_back_translated(tmp_path / "out")

    return make


def test_a_chat_model_translates_there_and_back(model, make):
    assert {row.text for row in make(*NAMES)} == {"A fox lived there ."}
    assert any("into Danish" in body["messages"][-1]["content"] for body in model.bodies)


def test_a_limit_that_is_raised_pays_nothing_twice(model, make, tmp_path):
    with pytest.raises(CommandError, match=r"Raise --most-tokens. Go on with the same command"):
        make(*NAMES, "--most-tokens", "400")
    paid = len(model.bodies)
    make(*NAMES)
    assert 0 < paid < len(model.bodies)
    assert len({str(sorted(body.items(), key=str)) for body in model.bodies}) == len(model.bodies)
    assert (tmp_path / "out.replies").exists()
