"""The settings of Pawsmith, except that everybody may send long bodies: the control."""

from config.settings import *  # noqa: F403
from config.settings import MIDDLEWARE

MIDDLEWARE = [each for each in MIDDLEWARE if not each.endswith("bounded_bodies")]
