"""Loads rows of several models with one statement whose SQL is built once.

The ORM builds the SQL of a query each time, which for two wide tables takes longer than the rest of
a small request. These rows are loaded for every answer.
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
    """The columns of a model, under the alias of its table in a statement.

    Fields of `left_out` are deferred.
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
        """The columns for a SELECT list."""
        quote = connection.ops.quote_name
        return ", ".join(f"{self.table}.{quote(str(field.column))}" for field in self.fields)

    @cached_property
    def names(self) -> list[str]:
        return [field.attname for field in self.fields]

    @cached_property
    def converters(self) -> list[tuple[int, Any, list[Callable[..., Any]]]]:
        """The position, column and converters of each value that the model stores differently."""
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
        """Return the model instance for the values of a row."""
        converted = list(values)
        for position, column, steps in self.converters:
            for step in steps:
                converted[position] = step(converted[position], column, connection)
        return self.model.from_db(connection.alias, self.names, converted)
