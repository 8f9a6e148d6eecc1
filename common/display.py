"""Names and durations for people to read."""


def readable(name: str) -> str:
    """A name from code as words: `below_threshold` becomes "below threshold"."""
    return name.replace("_", " ").replace("utf8", "UTF-8").replace("json", "JSON")


def plural(number: int, noun: str) -> str:
    """A number of things, such as "1 pair" or "2,000 pairs"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def duration(seconds: float) -> str:
    """A duration such as "40 s", "12 min" or "3.5 h"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6_000 else f"{seconds / 3_600:.1f} h"
