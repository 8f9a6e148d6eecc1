"""The diagnosis: looks for misconfiguration part by part, from the settings to the workers.

It contacts only this machine and its own services.
"""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core import checks
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.template.defaultfilters import filesizeformat
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from common import clock
from operations import machine, status
from operations.status import Finding, Level, error, fine, warning

OLDEST_POSTGRES = 15_00_00
LARGEST_SKEW = timedelta(seconds=2)
LITTLE_MEMORY = 512 * 1024 * 1024
SQLITE_FULL = 2
HEADERS = ("Content-Security-Policy", "Strict-Transport-Security", "X-Content-Type-Options")


def diagnosis() -> Iterator[Finding]:
    """Yield all findings, in the order in which to fix them."""
    yield from _of_settings()
    yield from _of_data_folder()
    yield from _of_static_files()
    yield from _of_memory()
    yield from _of_broker()
    reachable = _of_database()
    yield reachable
    if reachable.level is not Level.ERROR:
        yield from _of_durability()
        yield _of_clocks()
        migrated = _of_migrations()
        yield migrated
        if migrated.level is Level.OK:
            yield from _of_condition()
            yield from _of_replies()


def _of_settings() -> Iterator[Finding]:
    is_public = settings.ADDRESS.is_public
    whom = "others reach it" if is_public else "this machine alone reaches it"
    yield fine("Address", f"{settings.ADDRESS.origin}: {whom}.")
    messages = checks.run_checks(include_deployment_checks=is_public)
    for message in messages:
        if not message.is_silenced():
            level = error if message.is_serious() else warning
            yield level("Settings", f"{message.id}: {message.msg}", message.hint or "")
    if not messages:
        yield fine("Settings", "Nothing is amiss.")


def _of_data_folder() -> Iterator[Finding]:
    folder = settings.DATA_DIR
    if not folder.is_dir():
        yield error("Data folder", f"There is no {folder}.", "Make it, or set PAWSMITH_DATA_DIR.")
    elif not os.access(folder, os.W_OK | os.X_OK):
        advice = "Give it to the user that runs Pawsmith."
        yield error("Data folder", f"{folder} cannot be written.", advice)
    else:
        mode = folder.stat().st_mode
        yield fine("Data folder", f"{folder}, {filesizeformat(machine.disk().free)} free.")
        if mode & 0o002:
            yield warning("Data folder", "Everybody can write it.", f"chmod o-w {folder}")


def _of_static_files() -> Iterator[Finding]:
    if Path(settings.STATIC_ROOT, "staticfiles.json").exists():
        yield fine("Static files", "They are collected.")
    else:
        text = f"They are not collected in {settings.STATIC_ROOT}: pages would not open."
        yield error("Static files", text, "manage.py collectstatic --no-input")


def _of_memory() -> Iterator[Finding]:
    memory = machine.memory()
    if memory is None:
        return
    text = f"{filesizeformat(memory.free)} of {filesizeformat(memory.total)} are free."
    if memory.free < LITTLE_MEMORY:
        advice = "A worker takes 600 MB with the embedded models: run fewer, or add memory."
        yield warning("Memory", text, advice)
    else:
        yield fine("Memory", text)


def _of_broker() -> Iterator[Finding]:
    if not settings.CELERY_BROKER_URL:
        yield fine("Broker", "None is configured: `manage.py worker` does the work.")
    elif machine.broker_answers():
        yield fine("Broker", "It answers.")
    else:
        advice = "Start it, or correct CELERY_BROKER_URL. Annotators are not held up meanwhile."
        yield error("Broker", "It does not answer.", advice)


def _of_database() -> Finding:
    try:
        told = machine.database_version()
    except (DatabaseError, InterfaceError) as away:
        advice = "Start it, or correct DATABASE_URL."
        return error("Database", f"It does not answer: {str(away).strip()}", advice)
    if connection.vendor == "postgresql" and _postgres_version() < OLDEST_POSTGRES:
        return error("Database", f"{told} is too old.", "Pawsmith needs PostgreSQL 15 or later.")
    return fine("Database", f"{told}, {filesizeformat(machine.database_size())}.")


def _of_durability() -> Iterator[Finding]:
    if connection.vendor == "postgresql":
        state = machine.ask("SHOW synchronous_commit")
        is_durable = state not in ("off", "local")
        told, advice = f"synchronous_commit is {state}", "Set it to on, in postgresql.conf."
    else:
        state = machine.ask("PRAGMA synchronous")
        is_durable = int(state) >= SQLITE_FULL
        told, advice = f"synchronous is {state}", "Leave the options of the database as they are."
    if is_durable:
        yield fine("Durability", f"An answer is on disk when its reply goes out ({told}).")
    else:
        text = f"{told}: a crash loses answers that were acknowledged."
        yield error("Durability", text, advice)


def _of_clocks() -> Finding:
    skew = abs(timezone.now() - clock.now())
    text = f"Database and host are {skew.total_seconds():.1f} seconds apart."
    if skew > LARGEST_SKEW:
        return warning("Clocks", text, "Let a time service (chrony, systemd-timesyncd) set both.")
    return fine("Clocks", text)


def _of_migrations() -> Finding:
    executor = MigrationExecutor(connection)
    if missing := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        text = f"{len(missing)} have not been applied, from {missing[0][0]} on."
        return error("Migrations", text, "manage.py migrate")
    return fine("Migrations", "All are applied.")


def _of_condition() -> Iterator[Finding]:
    found = status.now()
    yield from found.findings
    if found.present:
        names = ", ".join(worker.name for worker in found.present)
        yield fine("Workers", f"{len(found.present)} show signs of life: {names}.")


def _of_replies() -> Iterator[Finding]:
    """Request a page inside this process; nothing is sent over a network."""
    is_public = settings.ADDRESS.is_public
    browser = Client(headers={"host": settings.ADDRESS.hosts[0]})
    reply = browser.get(reverse("account_login"), secure=is_public)
    if reply.status_code != 200:
        yield error("Pages", f"The sign-in page answers {reply.status_code}.", "Look into the log.")
        return
    wanted = HEADERS if is_public else HEADERS[:1]
    if missing := [name for name in wanted if name not in reply.headers]:
        yield error("Pages", f"They lack {', '.join(missing)}.", "Leave MIDDLEWARE as it is.")
    else:
        yield fine("Pages", "The sign-in page opens, with all headers that guard it.")


def _postgres_version() -> int:
    return int(machine.ask("SHOW server_version_num"))
