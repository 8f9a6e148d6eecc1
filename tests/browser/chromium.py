"""Where the browser of this machine is."""

import shutil

# The first has no windows to draw, which takes half the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The path of Chromium, or of its relatives; None without any."""
    return next(filter(None, map(shutil.which, NAMES)), None)
