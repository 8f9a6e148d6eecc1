"""A bare COPY of the rows of a release: what moving them takes, without doing anything to them."""

from typing import Any

from scripts.benchmarks.dataset.build import Clock, timed

EXAMPLES = "SELECT * FROM annotation_example WHERE release_id = {release}"
ANSWERS = "SELECT * FROM annotation_judgment WHERE project_id = {project}"


def out(release: Any, postgres: int) -> tuple[Clock, bytes]:
    """Copy the rows that the files are made of out of the database; the pairs are returned."""
    keys = {"release": release.pk, "project": release.project_id}
    with timed(postgres) as clock:
        pairs = _out(EXAMPLES.format(**keys))
        _out(ANSWERS.format(**keys))
    return clock, pairs


def back_in(pairs: bytes, postgres: int) -> Clock:
    """Copy pairs into a table like theirs, with its constraints and indexes."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TABLE plain_copy (LIKE annotation_example INCLUDING ALL)")
        with timed(postgres) as clock, cursor.copy("COPY plain_copy FROM STDIN") as copy:
            copy.write(pairs)
        cursor.execute("DROP TABLE plain_copy")
    return clock


def _out(query: str) -> bytes:
    from django.db import connection

    with connection.cursor() as cursor, cursor.copy(f"COPY ({query}) TO STDOUT") as copy:
        return b"".join(map(bytes, copy))
