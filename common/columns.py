"""Rows of several models from one statement, whose SQL is written once.

The ORM writes the SQL of a query each time, which for two wide tables takes longer than the rest of
a small request. Statements in the path of every answer are therefore written by hand.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Field, Model

ModelT = TypeVar("ModelT", bound=Model)


@dataclass(frozen=True)
class Columns(Generic[ModelT]):
    """The columns of a model in a statement, in which its table has the name `table`.

    Fields in `without` are read from the database when their value is used.
    """

    model: type[ModelT]
    table: str
    without: frozenset[str] = frozenset()

    @cached_property
    def fields(self) -> list["Field[Any, Any]"]:
        fields = self.model._meta.concrete_fields
        return [field for field in fields if field.name not in self.without]

    @cached_property
    def sql(self) -> str:
        quote = connection.ops.quote_name
        return ", ".join(f"{self.table}.{quote(str(field.column))}" for field in self.fields)

    @cached_property
    def _names(self) -> list[str]:
        return [field.attname for field in self.fields]

    @cached_property
    def _converters(self) -> Sequence[tuple[int, Any, Sequence[Callable[..., Any]]]]:
        """The positions of values to convert for the model, and the functions for them."""
        converters = []
        for position, field in enumerate(self.fields):
            column = field.get_col(self.table)
            steps = [
                *connection.ops.get_db_converters(column),
                *column.get_db_converters(connection),
            ]
            if steps:
                converters.append((position, column, steps))
        return converters

    def instance(self, values: Sequence[Any]) -> ModelT:
        """Return the columns of a row as an instance of the model."""
        converted = list(values)
        for position, column, steps in self._converters:
            for step in steps:
                converted[position] = step(converted[position], column, connection)
        return self.model.from_db(connection.alias, self._names, converted)
