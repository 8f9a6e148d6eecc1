"""The command `pawsmith`: `run` starts everything; others are management commands of Django."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError

from common.failures import in_words
from common.places import IS_CHECKOUT
from pawsmith.run import keep_secret_key, run


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    arguments = sys.argv[1:]
    if arguments[:1] == ["run"]:
        run(arguments[1:])
        return
    if not IS_CHECKOUT:
        keep_secret_key()
    if arguments in ([], ["help"], ["--help"]):
        print("`pawsmith run` starts Pawsmith on this machine. All other commands:\n")
    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:  # of Django's own commands, before there is a database
        if "--traceback" in arguments:
            raise
        sys.exit(in_words(error))


if __name__ == "__main__":
    main()
