"""Forty processes that guess a password at once get no further than one, on both engines."""

import pytest

PREPARE = "from accounts.models import User; User.objects.create_user('ada', password='secret')"
GUESS = """
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

seen, encode = [], MD5PasswordHasher.encode
MD5PasswordHasher.encode = lambda *given: seen.append(given) or encode(*given)
for _ in range(2):
    wrong = {"login": "ada", "password": "wrong"}
    Client(SERVER_NAME="localhost").post("/accounts/login/", wrong)
print(len(seen))
"""
# Every process has looked up the tries before any of them counts its first.
UNGUARDED = """
import time
from pathlib import Path
from django.conf import settings
from accounts import limits
from accounts.models import SignInTries

reserve = limits._reserve
def looked_up_then_counted(asked):
    found = list(SignInTries.objects.filter(pk__in=asked))
    Path(settings.DATA_DIR, f"looked-{number}").touch()
    while len(list(Path(settings.DATA_DIR).glob("looked-*"))) < 16:
        time.sleep(0.01)
    reserve(asked)
    return found
limits._reserve = looked_up_then_counted
"""


@pytest.mark.parametrize(("code", "processes"), [(GUESS, 40), (UNGUARDED + GUESS, 16)])
def test_processes_that_guess_at_once_have_ten_guesses_between_them(installation, code, processes):
    installation.run(PREPARE)
    printed = installation.run_together(code, processes=processes, timeout=600)
    guesses = sum(int(each.splitlines()[-1]) for each in printed)
    assert (guesses == 10) if code == GUESS else (guesses > 10)
