#!/usr/bin/env python
"""Django's command line for Pawsmith."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError

from common.failures import in_words

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:  # of Django's own commands, before there is a database
        if "--traceback" in sys.argv:
            raise
        sys.exit(in_words(error))
