"""The settings of Pawsmith, except that everybody may send long bodies: the control."""

from config.settings import *  # noqa: F403
from config.settings import MIDDLEWARE

MIDDLEWARE = [name for name in MIDDLEWARE if not name.startswith("operations.receiving.")]
