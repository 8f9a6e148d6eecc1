"""Rows of several models by one statement that is written once.

The ORM writes the SQL of a query anew each time, which for two wide tables takes longer than the
rest of a small request. What is read here stands in the path of every answer.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Field, Model

ModelT = TypeVar("ModelT", bound=Model)


@dataclass(frozen=True)
class Columns(Generic[ModelT]):
    """The columns of a model under the name that its table has in a statement.

    Fields of `left_out` are read when somebody asks for them.
    """

    model: type[ModelT]
    table: str
    left_out: Collection[str] = ()

    @cached_property
    def fields(self) -> list["Field[Any, Any]"]:
        every = self.model._meta.concrete_fields
        return [field for field in every if field.name not in self.left_out]

    @cached_property
    def sql(self) -> str:
        """For the list of a SELECT."""
        quote = connection.ops.quote_name
        return ", ".join(f"{self.table}.{quote(str(field.column))}" for field in self.fields)

    @cached_property
    def names(self) -> list[str]:
        return [field.attname for field in self.fields]

    @cached_property
    def converters(self) -> list[tuple[int, Any, list[Callable[..., Any]]]]:
        """Where in a row a value is not yet what the model has, and what makes it so."""
        found = []
        for position, field in enumerate(self.fields):
            column = field.get_col(self.model._meta.db_table)
            steps = [
                *connection.ops.get_db_converters(column),
                *column.get_db_converters(connection),
            ]
            if steps:
                found.append((position, column, steps))
        return found

    def object(self, values: Sequence[Any]) -> ModelT:
        """The object of a row's columns."""
        converted = list(values)
        for position, column, steps in self.converters:
            for step in steps:
                converted[position] = step(converted[position], column, connection)
        return self.model.from_db(connection.alias, self.names, converted)
