"""In which period a row falls, said in SQL of both engines."""

from typing import Any

from django.db.models import Func, IntegerField

from annotation.stats.periods import Periods


class Period(Func):
    """The number of the period that a time falls in, from 0 on.

    Only integers enter the statement, and as text: an expression that rows are grouped by must
    stand in it twice, and Postgres takes two bound parameters for two different values.
    """

    output_field = IntegerField()
    template = (
        "CAST(FLOOR((DATE_PART('epoch', %(expressions)s) - %(start)d) / %(length)d) AS integer)"
    )

    def __init__(self, time: str, periods: Periods) -> None:
        super().__init__(time, start=periods.start, length=periods.length)

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Without FLOOR, which needs a build of SQLite with mathematics: numbers are positive."""
        template = (
            "((CAST(strftime('%%%%s', %(expressions)s) AS integer) - %(start)d) / %(length)d)"
        )
        return self.as_sql(compiler, connection, template=template, **context)
