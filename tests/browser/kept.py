"""A house is built once, and from then on its rows and files are copied."""

import copy
import shutil
import sqlite3
from pathlib import Path

from django.db import connection

from tests.browser.house import House, house


class Kept:
    """The rows of a house, what stands for them, and the files of its release."""

    def __init__(self, folder: Path) -> None:
        self._files = folder / "releases"
        self._rows = sqlite3.connect(":memory:")
        self._house: House | None = None

    def house(self, releases: Path) -> House:
        """A house in the database under test, whose tables are empty, and in this folder."""
        if self._house is None:
            built = house()
            shutil.copytree(releases, self._files)
            _raw().backup(self._rows)
            self._house = copy.deepcopy(built)
            return built
        shutil.copytree(self._files, releases)
        self._rows.backup(_raw())
        return copy.deepcopy(self._house)


def _raw() -> sqlite3.Connection:
    connection.ensure_connection()
    raw: sqlite3.Connection = connection.connection
    return raw
