"""Public ids as files show them, written by the database."""

from typing import Any

from django.db.models import Func, TextField

# Where the hyphens of a UUID part its 32 digits.
PARTS = ((1, 8), (9, 4), (13, 4), (17, 4), (21, 12))


class Written(Func):
    """A column of UUIDs as text: a release has millions, and to make objects of them first takes
    as long as all else that reading a row takes."""

    output_field = TextField()
    arity = 1

    def as_postgresql(self, compiler: Any, connection: Any) -> Any:
        return super().as_sql(compiler, connection, template="(%(expressions)s)::text")

    def as_sqlite(self, compiler: Any, connection: Any, **extra_context: Any) -> Any:
        """SQLite holds the digits alone."""
        parts = (f"substr(%(expressions)s, {start}, {length})" for start, length in PARTS)
        return super().as_sql(
            compiler, connection, template=" || '-' || ".join(parts), **extra_context
        )
