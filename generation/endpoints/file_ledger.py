"""Replies of models in a file, for work without a database."""

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from uuid import UUID

from generation.endpoints.chat import Go, Reply

TABLE = """CREATE TABLE IF NOT EXISTS reply
(digest TEXT PRIMARY KEY, tokens INTEGER NOT NULL, reply TEXT NOT NULL) WITHOUT ROWID"""


class FileLedger:
    """Keeps replies in a SQLite file, which together may use `most_tokens`.

    They may cost `most_cost`, in millionths of the currency of the models; None for any cost.
    One process at a time uses a file. Refusals are not kept: the server may be changed.
    Raises sqlite3.Error if the file is another one, or cannot be written.
    """

    def __init__(self, path: Path, most_tokens: int, most_cost: int | None = None) -> None:
        self.most_tokens, self.most_cost = most_tokens, most_cost
        # Tokens and cost.
        self._reserved: dict[UUID, tuple[int, int]] = {}
        self._file = sqlite3.connect(path)
        with self._file:
            self._file.execute(TABLE)
        [(self._used, self._paid)] = self._file.execute(
            "SELECT coalesce(sum(tokens), 0), coalesce(sum(json_extract(reply, '$.cost')), 0) "
            "FROM reply"
        )

    def stored(self, digests: Collection[UUID]) -> Mapping[UUID, Reply]:
        self._reserved.clear()  # what an interrupted call has left
        rows = self._file.execute(
            "SELECT digest, reply FROM reply WHERE digest IN (SELECT value FROM json_each(?))",
            [json.dumps([digest.hex for digest in digests])],
        )
        return {
            (digest := UUID(digest_hex)): Reply(digest, **json.loads(reply))
            for digest_hex, reply in rows
        }

    def reserve(self, digest: UUID, tokens: int, cost: int) -> bool:
        reserved = [*self._reserved.values(), (tokens, cost)]
        if self._used + sum(row[0] for row in reserved) > self.most_tokens:
            return False
        paid = self._paid + sum(row[1] for row in reserved)
        if self.most_cost is not None and paid > self.most_cost:
            return False
        self._reserved[digest] = (tokens, cost)
        return True

    def store(self, replies: Sequence[Reply], *, silence: str = "") -> Go:
        answers = [reply for reply in replies if not reply.refused]
        with self._file:
            self._file.executemany(
                "INSERT OR IGNORE INTO reply VALUES (?, ?, ?)", map(_row, answers)
            )
        self._used += sum(reply.tokens_in + reply.tokens_out for reply in answers)
        self._paid += sum(reply.cost for reply in answers)
        for reply in replies:
            self._reserved.pop(reply.digest, None)
        return Go.GO


def _row(reply: Reply) -> tuple[str, int, str]:
    values = asdict(reply)
    del values["digest"]
    tokens = reply.tokens_in + reply.tokens_out
    return reply.digest.hex, tokens, json.dumps(values, ensure_ascii=False)
