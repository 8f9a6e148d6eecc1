"""Tables of text: rows of a label and its cells, written for terminals and in Markdown."""

from collections.abc import Sequence

Row = tuple[str, ...]
# The name of the column or row of all parts together.
ALL = "All"


def count(number: int | None) -> str:
    """Format a number with thousands separators; "" for None."""
    return "" if number is None else f"{number:,}"


def percent(share: float | None) -> str:
    """Format a share as in the paper, 0.947 as "94.7%"; "-" if undefined."""
    return "-" if share is None else f"{share:.1%}"


def as_text(rows: Sequence[Row]) -> str:
    """Format a table for a terminal: labels to the left, cells to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in rows
    )
    return "\n".join(lines) + "\n"


def as_markdown(rows: Sequence[Row]) -> str:
    """Format a table in Markdown, with its first row as the header."""
    header, *body = rows
    rule = ("---", *("---:",) * (len(header) - 1))
    lines = ("| " + " | ".join(indented(row)) + " |" for row in (header, rule, *body))
    return "\n".join(lines) + "\n"


def indented(row: Row) -> Row:
    """Replace leading spaces of the label with non-breaking ones: Markdown drops the others."""
    label = row[0]
    depth = len(label) - len(label.lstrip())
    return ("&nbsp;" * depth + label.lstrip(), *row[1:])
