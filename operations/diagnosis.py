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
from django.template.defaultfilters import filesizeformat
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from common import clock
from operations import machine, status
from operations.status import Finding, error, fine, warning

OLDEST_POSTGRES = 15_00_00
LARGEST_SKEW = timedelta(seconds=2)
LITTLE_MEMORY = 512 * 1024 * 1024
HEADERS = ("Content-Security-Policy", "Strict-Transport-Security", "X-Content-Type-Options")


def diagnosis() -> Iterator[Finding]:
    """Yield all findings, in the order in which to fix them."""
    yield from _of_settings()
    yield from _of_data_folder()
    yield _of_static_files()
    if memory := machine.memory():
        yield _of_memory(memory)
    yield _of_broker()
    if database := _fault_of_database():
        yield database
        return
    yield fine("Database", f"{machine.database_version()}, {_size(machine.database_size())}.")
    yield _of_durability()
    yield _of_clocks()
    if missing := machine.missing_migrations():
        text = f"{len(missing)} have not been applied, from {missing[0]} on."
        yield error("Migrations", text, "manage.py migrate")
        return
    yield fine("Migrations", "All are applied.")
    yield from _of_condition()
    yield _of_replies()


def _of_settings() -> Iterator[Finding]:
    is_public = settings.ADDRESS.is_public
    whom = "others reach it" if is_public else "this machine alone reaches it"
    yield fine("Address", f"{settings.ADDRESS.origin}: {whom}.")
    messages = [
        message
        for message in checks.run_checks(include_deployment_checks=is_public)
        if not message.is_silenced()
    ]
    for message in messages:
        level = error if message.is_serious() else warning
        yield level("Settings", f"{message.id}: {message.msg}", message.hint or "")
    if not messages:
        yield fine("Settings", "Django finds no problems.")


def _of_data_folder() -> Iterator[Finding]:
    folder = settings.DATA_DIR
    if not folder.is_dir():
        yield error("Data folder", f"There is no {folder}.", "Make it, or set PAWSMITH_DATA_DIR.")
    elif not os.access(folder, os.W_OK | os.X_OK):
        advice = "Give it to the user that runs Pawsmith."
        yield error("Data folder", f"{folder} cannot be written.", advice)
    else:
        yield fine("Data folder", f"{folder}, {_size(machine.disk().free)} free.")
        if folder.stat().st_mode & 0o002:
            yield warning("Data folder", "Everybody can write it.", f"chmod o-w {folder}")


def _of_static_files() -> Finding:
    if Path(settings.STATIC_ROOT, "staticfiles.json").exists():
        return fine("Static files", "They are collected.")
    text = f"They are not collected in {settings.STATIC_ROOT}: pages would not open."
    return error("Static files", text, "manage.py collectstatic --no-input")


def _of_memory(memory: machine.Capacity) -> Finding:
    text = f"{_size(memory.free)} of {_size(memory.total)} are free."
    if memory.free >= LITTLE_MEMORY:
        return fine("Memory", text)
    advice = "A worker takes 600 MB with the embedded models: run fewer, or add memory."
    return warning("Memory", text, advice)


def _of_broker() -> Finding:
    if not settings.CELERY_BROKER_URL:
        return fine("Broker", "None is configured: `manage.py worker` does the work.")
    if machine.broker_answers():
        return fine("Broker", "It answers.")
    advice = "Start it, or correct CELERY_BROKER_URL. Annotators can work meanwhile."
    return error("Broker", "It does not answer.", advice)


def _fault_of_database() -> Finding | None:
    try:
        version = machine.database_version()
    except (DatabaseError, InterfaceError) as away:
        advice = "Start it, or correct DATABASE_URL."
        return error("Database", f"It does not answer: {str(away).strip()}", advice)
    is_postgres = connection.vendor == "postgresql"
    if is_postgres and int(machine.ask("SHOW server_version_num")) < OLDEST_POSTGRES:
        return error("Database", f"{version} is too old.", "Install PostgreSQL 15 or later.")
    return None


def _of_durability() -> Finding:
    if connection.vendor == "postgresql":
        state = machine.ask("SHOW synchronous_commit")
        is_durable, name = state not in ("off", "local"), "synchronous_commit"
        advice = "Set it to on, in postgresql.conf."
    else:
        state = machine.ask("PRAGMA synchronous")
        is_durable, name = state in ("2", "3"), "synchronous"  # FULL, EXTRA
        advice = "Leave the options of the database as they are."
    if is_durable:
        text = f"An answer is on disk when its reply is sent ({name} is {state})."
        return fine("Durability", text)
    text = f"{name} is {state}: a crash loses answers that were acknowledged."
    return error("Durability", text, advice)


def _of_clocks() -> Finding:
    skew = abs(timezone.now() - clock.now())
    text = f"Database and host are {skew.total_seconds():.1f} seconds apart."
    if skew <= LARGEST_SKEW:
        return fine("Clocks", text)
    return warning("Clocks", text, "Let a time service (chrony, systemd-timesyncd) set both.")


def _of_condition() -> Iterator[Finding]:
    condition = status.now()
    yield from condition.findings
    if condition.present:
        names = ", ".join(worker.name for worker in condition.present)
        yield fine("Workers", f"{len(condition.present)} show signs of life: {names}.")


def _of_replies() -> Finding:
    """Request a page inside this process; nothing is sent over a network."""
    is_public = settings.ADDRESS.is_public
    browser = Client(headers={"host": settings.ADDRESS.hosts[0]})
    reply = browser.get(reverse("account_login"), secure=is_public)
    if reply.status_code != 200:
        text = f"The sign-in page answers {reply.status_code}."
        return error("Pages", text, "Look into the log.")
    wanted = HEADERS if is_public else HEADERS[:1]
    if missing := [name for name in wanted if name not in reply.headers]:
        return error("Pages", f"They lack {', '.join(missing)}.", "Leave MIDDLEWARE as it is.")
    return fine("Pages", "The sign-in page opens, with all headers that protect it.")


def _size(number: int) -> str:
    return str(filesizeformat(number))
