"""Every kind of reply of a public installation is worth an A+ of Mozilla's Observatory."""

import json
import shutil
from pathlib import Path

from tests.config import production
from tests.config.observatory import A_PLUS, Reply, points, score

ASK = "import django; django.setup(); from tests.config import asking; asking.main()"
EXPECTED = {
    "whoever is sent to sign in": 302,
    "REST without a token": 401,
    "no such page": 404,
    "no such address in REST": 401,
    "a form without its token": 403,
    "what went wrong": 500,
}


def test_a_reply_of_each_kind_is_worth_an_a_plus(migrated_sqlite: Path, tmp_path: Path) -> None:
    database = shutil.copy(migrated_sqlite, tmp_path / "pawsmith.sqlite3")
    place = {"DATABASE_URL": f"sqlite:///{database}", "PAWSMITH_DATA_DIR": str(tmp_path)}

    told = production.python("-c", ASK, **place)

    assert told.returncode == 0, told.stderr
    replies = [json.loads(line) for line in told.stdout.splitlines() if line.startswith("{")]
    assert {each["name"]: each["status"] for each in replies} == {
        each["name"]: EXPECTED.get(each["name"], 200) for each in replies
    }
    found = {each["name"]: Reply(**each["reply"]) for each in replies}
    assert {name: points(reply) for name, reply in found.items() if score(reply) < A_PLUS} == {}
