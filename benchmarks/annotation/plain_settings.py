"""The settings of the product, with the reference beside its own addresses."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.annotation.plain_turns"
