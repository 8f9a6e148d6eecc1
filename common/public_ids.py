"""Public ids as text, formatted by the database."""

from typing import Any

from django.db.models import Func, TextField

# First digit and length of each part of a UUID.
PARTS = ((1, 8), (9, 4), (13, 4), (17, 4), (21, 12))


class Written(Func):
    """A UUID column as text. Creating a UUID object for each would double the time."""

    output_field = TextField()
    arity = 1

    def as_postgresql(self, compiler: Any, connection: Any) -> Any:
        return super().as_sql(compiler, connection, template="(%(expressions)s)::text")

    def as_sqlite(self, compiler: Any, connection: Any, **extra_context: Any) -> Any:
        """SQLite stores the 32 digits without hyphens."""
        parts = (f"substr(%(expressions)s, {start}, {length})" for start, length in PARTS)
        return super().as_sql(
            compiler, connection, template=" || '-' || ".join(parts), **extra_context
        )
