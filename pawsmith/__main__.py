"""The command `pawsmith`: `run` starts everything; others are management commands of Django."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

from common.failures import in_words
from common.program import IS_CHECKOUT
from pawsmith.run import keep_secret_key, run


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        _carry_out(sys.argv[1:])
    except (ImproperlyConfigured, OperationalError) as error:  # settings; there is no database
        if "--traceback" in sys.argv:
            raise
        sys.exit(in_words(error) if isinstance(error, OperationalError) else str(error))


def _carry_out(arguments: list[str]) -> None:
    if arguments[:1] == ["run"]:
        run(arguments[1:])
        return
    if not IS_CHECKOUT:
        keep_secret_key()
    if arguments in ([], ["help"], ["--help"]):
        print("`pawsmith run` starts Pawsmith on this machine. All other commands:\n")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
