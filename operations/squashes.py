"""Migrations that replace earlier ones, whose files are gone."""

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def all_names() -> set[tuple[str, str]]:
    """Room and name of each migration of this version, and of each that one of them replaces."""
    migrations = MigrationLoader(None).disk_migrations
    return {
        *migrations,
        *(name for migration in migrations.values() for name in migration.replaces),
    }


def is_half_replaced(connection: BaseDatabaseWrapper) -> bool:
    """Return whether the database has only some of the migrations that one replaces.

    Django then considers the database complete.
    """
    applied = MigrationRecorder(connection).applied_migrations().keys()
    for migration in MigrationLoader(None).disk_migrations.values():
        replaced = set(migration.replaces)
        if replaced & applied and not replaced <= applied:
            return True
    return False
