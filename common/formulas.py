"""Cells of spreadsheets: what begins like a formula is escaped, and read back as it was."""

# First characters by which a spreadsheet takes a cell for a formula (OWASP, "CSV Injection").
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escape(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet would read it as a formula."""
    return f"'{text}" if text.lstrip(" '").startswith(FORMULA) else text


def unescape(text: str) -> str:
    """The text of a cell that `escape` returned."""
    return text[1:] if text.startswith("'") and escape(text[1:]) == text else text
