"""The labels of a project for pages and queries: shown names, sides in SQL, texts of this house."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db.models import Case, F, IntegerField, Value, When
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from annotation.projects.ratings import OPINIONS, SIMILARITY
from annotation.stats.labels import FEWEST, SAME_OR_DIFFERENT, Label, Level, Rule, Scheme, scale

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
# The labels of ANLI, in its order.
INFERENCE = Scheme(
    tuple(
        Label(value, name)
        for value, name in enumerate((_("entailment"), _("neutral"), _("contradiction")))
    ),
    Level.NOMINAL,
    Rule.MOST,
    directed=True,
    captions=(_("Premise"), _("Hypothesis")),
)
SHIPPED_SCHEMES = (SAME_OR_DIFFERENT, GRADES, INFERENCE, SIMILARITY, OPINIONS)
# Names that pages translate; names that a study wrote stay as they are.
SHIPPED = frozenset(
    name
    for scheme in SHIPPED_SCHEMES
    for name in (*(label.name for label in scheme.labels), *scheme.captions)
)
# How rows of lists name these labels.
SHORT = {"Same meaning": _("same"), "Different meaning": _("different")}


def shown(name: str) -> str:
    """Return the name of a label, or the caption of a sentence, as pages show it."""
    return gettext(name) if name in SHIPPED else name


def shown_name(label: Label) -> str:
    return shown(label.name)


def short_name(scheme: Scheme, place: int) -> str:
    name = scheme.name_of(place)
    return gettext(SHORT[name]) if name in SHORT else shown(name)


def label_names(scheme: Scheme) -> list[str]:
    """Return the names of all labels as pages show them; of two labels, the upper one first."""
    names = [shown_name(label) for label in scheme.labels]
    return names[::-1] if len(names) == FEWEST else names


def have_same_labels(one: Scheme, other: Scheme) -> bool:
    return one.labels == other.labels


def asks_same_meaning(scheme: Scheme) -> bool:
    """Return whether people say, as in PAWS, that two sentences mean the same or do not."""
    return scheme.labels == SAME_OR_DIFFERENT.labels


def asks_about_meaning(scheme: Scheme) -> bool:
    """Return whether people compare meanings: as in PAWS, or by grades with two sides."""
    return asks_same_meaning(scheme) or (scheme.is_graded and scheme.is_binary)


def outcome_names(scheme: Scheme) -> tuple[str, ...]:
    """Return the names of the outcomes of a scheme, as pages show them."""
    shown_labels = (replace(label, name=shown_name(label)) for label in scheme.labels)
    return replace(scheme, labels=tuple(shown_labels)).outcomes


def headline_name(scheme: Scheme) -> str:
    """Return the name of the headline measure of agreement."""
    if scheme.has_equal_steps:
        return gettext("Interval alpha")
    return gettext("Ordinal alpha") if scheme.is_ordered else gettext("Krippendorff’s alpha")


def decision_name(scheme: Scheme, outcome: int | None) -> str:
    """Return what a decided pair is: the name of an outcome, or a tie."""
    return gettext("A tie") if outcome is None else outcome_names(scheme)[outcome]


def outcomes_in_order(scheme: Scheme) -> list[tuple[int, str]]:
    """Return places and names of outcomes as pages list them: of two, the upper one first."""
    outcomes = list(enumerate(outcome_names(scheme)))
    return outcomes[::-1] if len(outcomes) == FEWEST else outcomes


def listed(scheme: Scheme) -> str:
    """Return values and names of all labels, such as “0 Different meaning, 1 Same meaning”."""
    labels = ((str(label.value), shown_name(label)) for label in scheme.labels)
    return ", ".join(value if name == value else f"{value} {name}" for value, name in labels)


def criterion(looks: Mapping[str, str], name: str) -> str:
    """Return the criterion that a project gives a label, or that of the grades of PARADE.

    `looks` is what `Project.label_looks` says of the label.
    """
    if text := looks.get("criterion"):
        return text
    return gettext(CRITERIA[name]) if name in CRITERIA else ""


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
