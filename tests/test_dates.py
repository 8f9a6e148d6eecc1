"""Dates and times have one form in each language, wherever somebody reads them."""

import re
from datetime import datetime

import pytest
from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import override

MOMENT = datetime(2026, 3, 4, 18, 5)  # noqa: DTZ001 as the reader's clock says
# What a template may ask for; the last two are for machines: a <time>, and how a release is cited.
FORMS = {'"DATE_FORMAT"', '"DATETIME_FORMAT"', '"TIME_FORMAT"', "'c'", '"Y-m-d"'}


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["4 Mar 2026", "4 Mar 2026, 18:05", "4 Mar", "18:05"]),
        ("de", ["4. Mär 2026", "4. Mär 2026, 18:05", "4. Mär", "18:05"]),
    ],
)
def test_a_moment_is_written_in_one_way(language: str, written: list[str]) -> None:
    names = ("DATE_FORMAT", "DATETIME_FORMAT", "MONTH_DAY_FORMAT", "TIME_FORMAT")
    with override(language):
        assert [date_format(MOMENT, name) for name in names] == written


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_language_has_a_form_of_its_own(language: str) -> None:
    folder = settings.BASE_DIR / "config" / "formats"
    assert (folder / language / "formats.py").is_file()


def test_no_template_has_a_form_of_its_own() -> None:
    asked = {
        form
        for page in (settings.BASE_DIR / "templates").rglob("*.html")
        for form in re.findall(r"\|(?:date|time):(\S+?)(?=[\s|}%])", page.read_text())
    }
    assert asked == FORMS
