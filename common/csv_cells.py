"""Cells that a spreadsheet opens as they are: in none of them is a formula."""

# What makes a spreadsheet take a text for a formula, or leave its cell (OWASP, "CSV Injection").
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escaped(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip(" '").startswith(FORMULA) else text


def unescaped(text: str) -> str:
    """What was in the cell before it was guarded."""
    return text[1:] if text.startswith("'") and escaped(text[1:]) == text else text
