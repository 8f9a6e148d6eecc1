"""The style sheets of the pages."""

import re
from pathlib import Path

import pytest
from django.conf import settings

FOLDER = Path(settings.BASE_DIR) / "static/pawsmith"
SET = re.compile(r"(--[\w-]+)\s*:")
# Without a second value, which would be used where the first is not set.
USED = re.compile(r"var\((--[\w-]+)\)")


@pytest.mark.parametrize("sheet", sorted(path.name for path in FOLDER.glob("*.css")))
def test_every_colour_that_a_style_sheet_uses_is_set(sheet):
    """What uses an unset one is not drawn."""
    text = (FOLDER / sheet).read_text()
    everywhere = "".join((FOLDER / name).read_text() for name in ("style.css", "shell.css"))
    assert {*USED.findall(text)} <= {*SET.findall(text), *SET.findall(everywhere)}
