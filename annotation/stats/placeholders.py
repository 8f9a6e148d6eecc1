"""Texts that stand for a missing translation, and are never stored as one.

The published PAWS-X files have `NS` where a sentence was not translated.
"""

PLACEHOLDERS = (
    "NS",
    "N/A",
    "NA",
    "N.A.",
    "-",
    "--",
    "---",
    "–",
    "—",
    ".",
    "...",
    "…",
    "?",
    "???",
    "XXX",
)


def is_placeholder(text: str) -> bool:
    """Return whether a text is empty or stands for a missing one."""
    return text.strip().upper() in ("", *PLACEHOLDERS)
