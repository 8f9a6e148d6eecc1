"""Escapes CSV cells against formula injection."""

# First characters by which a spreadsheet takes a cell for a formula (OWASP, "CSV Injection").
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escaped(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet would read it as a formula."""
    return f"'{text}" if text.lstrip(" '").startswith(FORMULA) else text


def unescaped(text: str) -> str:
    """The text of a cell that `escaped` returned."""
    return text[1:] if text.startswith("'") and escaped(text[1:]) == text else text
