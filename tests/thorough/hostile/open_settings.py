"""The settings of the product, but everybody may send long bodies: to see what comes of it."""

from config.settings import *  # noqa: F403
from config.settings import MIDDLEWARE

MIDDLEWARE = [each for each in MIDDLEWARE if not each.endswith("bounded_bodies")]
