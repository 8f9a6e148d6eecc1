"""A worker whose connections to Postgres are cut off continues with new ones."""

import json
import time

import psycopg
import pytest

START = """
from tests.generation import fake
fake.install()
from django.core.management import call_command
call_command("worker")
"""
NEW_RUN = """
from annotation.services import projects
from tests.generation import fake
fake.install()
projects.adopt(projects.create("Study"), fake.run(fake.corpus(50)))
"""
# What comes before its first sign of life may fail unseen.
SIGN_OF_LIFE = "SELECT 1 FROM generation_worker"
CUT_OFF = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
CORRECTIONS = "from annotation.models import Correction; print(Correction.objects.count())"


@pytest.mark.parametrize("engine", ["postgres"])
def test_a_worker_outlives_a_lost_connection(installation):
    process = installation.start("shell", "-c", START)
    with psycopg.connect(installation.database_url, autocommit=True) as connection:
        for awaited in (SIGN_OF_LIFE, CUT_OFF):
            while connection.execute(awaited).rowcount == 0:
                time.sleep(0.1)
    installation.run(NEW_RUN)
    while json.loads(installation.run(CORRECTIONS)) != 45:
        assert process.poll() is None, process.communicate()
    process.terminate()
    _output, errors = process.communicate()
    assert process.returncode == 0
    assert "The database does not answer" in errors
