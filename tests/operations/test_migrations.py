"""Changes that need a migration, and databases from before migrations were squashed."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from accounts.models import User
from operations import probes

pytestmark = [pytest.mark.both_engines, pytest.mark.django_db]

SQUASHED = "0001_version_0_1_0"
recorded = MigrationRecorder(connection).migration_qs


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("help_text", "Other words"), ("_verbose_name", "Look"), ("choices", [("x", "Other words")])],
)
def test_wording_makes_no_migration(attribute, value, monkeypatch):
    monkeypatch.setattr(User._meta.get_field("theme"), attribute, value)
    call_command("makemigrations", check_changes=True, verbosity=0)


def test_another_length_makes_a_migration(monkeypatch):
    monkeypatch.setattr(User._meta.get_field("theme"), "max_length", 6)
    with pytest.raises(SystemExit):
        call_command("makemigrations", check_changes=True, verbosity=0)


def test_a_database_from_before_the_squash_needs_nothing(capsys):
    recorded.filter(name=SQUASHED).delete()
    call_command("migrate")
    assert "No migrations to apply" in capsys.readouterr().out
    assert recorded.filter(name=SQUASHED).count() == 4


@pytest.fixture
def half_replaced():
    recorded.filter(app="annotation", name="0021_model_task_ties").delete()


def test_a_database_with_some_of_the_replaced_migrations_is_not_migrated(half_replaced):
    with pytest.raises(CommandError, match="the last version before the squash"):
        call_command("migrate")


def test_a_database_with_some_of_the_replaced_migrations_is_not_ready(half_replaced):
    probes._ask_for_migrations.cache_clear()
    assert probes._state_of_database() == "migrations are missing"
