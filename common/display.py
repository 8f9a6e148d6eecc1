"""Names and numbers as people read them."""


def readable(name: str) -> str:
    """The name of an outcome or of a kind of change: “below threshold”."""
    return name.replace("_", " ")


def duration(seconds: float) -> str:
    """In the unit that suits: “40 s”, “12 min” or “3.5 h”."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6_000 else f"{seconds / 3_600:.1f} h"
