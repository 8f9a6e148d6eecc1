"""SQL for the period of a row, for both database engines."""

from typing import Any

from django.db.models import Func, IntegerField

from annotation.stats.periods import Periods


class Period(Func):
    """The number of the period, from 0 on, that contains a time.

    Its integers are part of the SQL text, not parameters: a grouped expression occurs twice in a
    statement, and Postgres takes two bound parameters for different values.
    """

    output_field = IntegerField()
    template = (
        "CAST(FLOOR((DATE_PART('epoch', %(expressions)s) - %(start)d) / %(length)d) AS integer)"
    )

    def __init__(self, time: str, periods: Periods) -> None:
        super().__init__(time, start=periods.start, length=periods.length)

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Avoid FLOOR, which not every build of SQLite has: the numbers are positive."""
        template = (
            "((CAST(strftime('%%%%s', %(expressions)s) AS integer) - %(start)d) / %(length)d)"
        )
        return self.as_sql(compiler, connection, template=template, **context)
