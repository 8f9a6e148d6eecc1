"""Lines of the log, as a public installation has them."""

import json
import logging

import pytest

from config.logs import JsonLines
from operations import requests


@pytest.fixture
def lines(caplog):
    kept = []

    class Kept(logging.Handler):
        def emit(self, record):
            kept.append(json.loads(JsonLines().format(record)))

    keeper, root = Kept(), logging.getLogger()
    root.addHandler(keeper)
    caplog.set_level(logging.INFO, requests.logger.name)
    yield kept
    root.removeHandler(keeper)
