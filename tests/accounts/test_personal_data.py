"""The page about personal data names the tables that hold any."""

import re
from pathlib import Path

from django.apps import apps

from accounts.models import User

PAGE = Path(__file__).parents[2] / "docs/operator/personal_data.md"
TABLES = {
    model._meta.db_table: model
    for model in apps.get_models(include_auto_created=True)
    if not model._meta.proxy
}


def test_the_page_names_every_table_that_refers_to_a_person():
    refer = {
        table
        for table, model in TABLES.items()
        if any(field.related_model is User for field in model._meta.local_fields)
    }
    named = set(re.findall(r"`(\w+_\w+)`", PAGE.read_text(encoding="utf-8")))
    assert (refer - named, named - TABLES.keys()) == (set(), set())
