import json
import logging

import pytest

from config.logs import JsonLines
from operations import requests


@pytest.fixture
def lines(caplog, monkeypatch):
    """The lines of the log, as a public installation has them."""
    kept, handler = [], logging.Handler()
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    handler.emit = lambda record: kept.append(json.loads(JsonLines().format(record)))
    caplog.set_level(logging.INFO, requests.logger.name)
    return kept
