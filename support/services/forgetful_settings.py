"""The settings of the product, but that no reply waits for the disk: to see that it is noticed."""

from config.settings import *  # noqa: F403
from config.settings import DATABASES

DATABASES["default"]["OPTIONS"]["options"] = "-c synchronous_commit=off"
