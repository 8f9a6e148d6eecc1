"""Names that no other row of a table has."""

from itertools import chain, count

from django.db.models import Model


def free_name(model: type[Model], base: str) -> str:
    """Return a name that no row has: as wanted, or with a number, within the column's length."""
    longest = getattr(model._meta.get_field("name"), "max_length", None) or 0
    taken = {*model._default_manager.values_list("name", flat=True)}
    with_number = (f"{base[: longest - 4]} {number}" for number in count(2))
    return next(name for name in chain([base[:longest]], with_number) if name not in taken)
