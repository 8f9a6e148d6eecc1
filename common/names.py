"""Names that no other row of a table has."""

from itertools import chain, count

from django.db.models import Model


def free_name(model: type[Model], wanted: str) -> str:
    """Return a name that no row has: as wanted, or with a number, within the column's length."""
    longest = getattr(model._meta.get_field("name"), "max_length", None) or 0
    names = {*model._default_manager.values_list("name", flat=True)}
    numbered = (f"{wanted[: longest - 4]} {number}" for number in count(2))
    return next(name for name in chain([wanted[:longest]], numbered) if name not in names)
