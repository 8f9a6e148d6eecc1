"""Postgres is killed the moment an import has ended: every row of it is still there."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.services.installation import Installation
from support.services.sites import Postgres, start_postgres

PAIRS = 40
IMPORT = f"""
from generation.models import Corpus
from generation.readers import PairLine
from generation.services import imported_pairs
imported_pairs.LINES_AT_ONCE = 15
{{prelude}}
lines = [PairLine(n, f"A cat sees {{{{n}}}}.", f"{{{{n}}}} sees a cat.") for n in range({PAIRS})]
corpus = Corpus.objects.create(name="{{name}}")
print(imported_pairs.import_candidates(lines, corpus=corpus, origin="made here").added)
"""
COUNT = """
from generation.models import Candidate
print(Candidate.objects.filter(sentence__corpus__name="{name}").count())
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """One that flushes asynchronous commits rarely, with a migrated database."""
    with tempfile.TemporaryDirectory(prefix="pawsmith-postgres-") as folder:
        postgres = start_postgres(Path(folder))
        try:
            Installation(postgres.url, Path(folder)).manage("migrate", "--verbosity", "0")
            yield postgres
        finally:
            postgres.server.cleanup()


def left_after_a_crash(server: Postgres, folder: Path, *, name: str, prelude: str = "") -> int:
    """Candidates that are there after an import, a kill of Postgres and its start."""
    place = Installation(server.url, folder)
    server.kill()
    server.start()  # it flushes asynchronous commits ten seconds after its start, not before
    assert int(place.run(IMPORT.format(name=name, prelude=prelude))) == PAIRS
    server.kill()
    server.start()
    return int(place.run(COUNT.format(name=name)))


def test_what_an_import_has_added_survives_a_crash(server: Postgres, tmp_path: Path) -> None:
    assert left_after_a_crash(server, tmp_path, name="Kept") == PAIRS


def test_control_without_the_last_commit_rows_are_lost(server: Postgres, tmp_path: Path) -> None:
    prelude = "imported_pairs._Import.finish = lambda _: None"
    assert left_after_a_crash(server, tmp_path, name="Lost", prelude=prelude) < PAIRS
