"""The labels of a project for pages and queries: shown names, sides in SQL, texts of this house."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Case, F, IntegerField, Value, When
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from annotation.stats.labels import SAME_OR_DIFFERENT, Label, Scheme, scale

# The grades of PARADE (4.2, Table 4) and their criteria, in our words.
CRITERIA: Mapping[str, str] = {
    _("Not equivalent"): _("They describe two different things."),
    _("Roughly equivalent"): _("They describe the same thing, but an important detail differs."),
    _("Mostly equivalent"): _(
        "They describe the same thing; only examples or implied details differ."
    ),
    _("Completely equivalent"): _("They describe the same thing in the same details."),
}
GRADES = scale(3, border=2, names=[*CRITERIA])
# The names of SAME_OR_DIFFERENT, only to mark them for translation.
_("Same meaning"), _("Different meaning")
SHIPPED_SCHEMES = (SAME_OR_DIFFERENT, GRADES)
# Names that pages translate; names that a study wrote stay as they are.
SHIPPED = frozenset(label.name for scheme in SHIPPED_SCHEMES for label in scheme.labels)


def shown_name(label: Label) -> str:
    return gettext(label.name) if label.name in SHIPPED else label.name


def listed(scheme: Scheme) -> str:
    """Return values and names of all labels, such as “0 Different meaning, 1 Same meaning”."""
    labels = ((str(label.value), shown_name(label)) for label in scheme.labels)
    return ", ".join(value if name == value else f"{value} {name}" for value, name in labels)


def criterion(looks: Mapping[str, str], label: Label) -> str:
    """Return the criterion that a project gives a label, or that of the grades of PARADE.

    `looks` is what `Project.label_looks` says of the label.
    """
    if text := looks.get("criterion"):
        return text
    return gettext(CRITERIA[label.name]) if label.name in CRITERIA else ""


def outcome_of(column: str, scheme: Scheme) -> Any:
    """Return the outcome of the label in a column, as an expression of a query."""
    if scheme.border_place is None:
        return F(column)
    is_above = {f"{column}__gte": scheme.border_place}
    return Case(When(**is_above, then=Value(1)), default=Value(0), output_field=IntegerField())


def value_sql(column: str, scheme: Scheme) -> str:
    """Return the value of the label in a column, as SQL."""
    cases = " ".join(f"WHEN {place:d} THEN {value:d}" for place, value in enumerate(scheme.values))
    return f"CASE {column} {cases} END"


def outcome_sql(column: str, scheme: Scheme) -> str:
    """Return the outcome of the label in a column, as SQL."""
    if scheme.border_place is None:
        return column
    return f"CASE WHEN {column} >= {scheme.border_place:d} THEN 1 ELSE 0 END"
