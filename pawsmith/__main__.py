"""The command `pawsmith`: `run` starts everything; others are management commands of Django."""

import os
import secrets
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

from common.failures import in_words
from common.program import IS_CHECKOUT
from pawsmith.run import SECRET_KEY, keep_secret_key, run

# Commands that write nothing to the data folder, so they need no lasting secret key.
WITHOUT_DATA = {"help", "--version", "version", "check", "verify_release"}
HELP = {"-h", "--help"}


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
        if _needs_no_data(arguments):
            os.environ.setdefault(SECRET_KEY, secrets.token_urlsafe(50))
        else:
            keep_secret_key()
    if arguments in ([], ["help"], ["--help"]):
        print("`pawsmith run` starts Pawsmith on this machine. All other commands:\n")
    execute_from_command_line(sys.argv)


def _needs_no_data(arguments: list[str]) -> bool:
    return not arguments or arguments[0] in WITHOUT_DATA or not HELP.isdisjoint(arguments)


if __name__ == "__main__":
    main()
