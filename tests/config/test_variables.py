"""Wrong environment variables are refused in a line that names the variable and a right value."""

import os
import runpy
from unittest import mock

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.config.installation import PUBLIC, ROOT, python

MAIL, DATABASE = "PAWSMITH_MAIL", "DATABASE_URL"


def read(file, **environment):
    with mock.patch.dict(os.environ, PUBLIC | environment, clear=True):
        return runpy.run_path(str(ROOT / "config/settings" / file))


@pytest.mark.parametrize(
    ("file", "name", "text", "example"),
    [
        ("people.py", MAIL, "smtp.uni.example", "smtp+tls://USER:PASSWORD@HOST:587"),
        ("people.py", MAIL, "smtp+tls://:hidden@mail.example:port", "smtp+tls://USER:PASSWORD@"),
        ("people.py", MAIL, "smtp+tls://:587", "smtp+tls://USER:PASSWORD@HOST:587"),
        ("people.py", "PAWSMITH_PROXIES", "one", "1"),
        ("people.py", "PAWSMITH_PROXIES", "-1", "1"),
        ("installation.py", "PAWSMITH_BACKUPS_KEPT", "x", "14"),
        ("installation.py", "PAWSMITH_BACKUPS_KEPT", "0", "14"),
        ("__init__.py", "PAWSMITH_WORKER_MEMORY", "2GB", "2048"),
        ("installation.py", DATABASE, "mysql://u:hidden@h/x", "postgres://USER:PASSWORD@HOST"),
        ("installation.py", DATABASE, "pawsmith.sqlite3", "postgres://USER:PASSWORD@HOST"),
        ("installation.py", DATABASE, "postgres://u:hidden@h:port/x", "postgres://USER:PASSWORD@"),
        ("installation.py", "PAWSMITH_DEBUG", "ja", "on"),
        ("provider.py", "PAWSMITH_PASSWORDS", "offf", "off"),
        ("provider.py", "PAWSMITH_OIDC_TRUST_MAIL", "maybe", "off"),
    ],
)
def test_a_wrong_value_is_one_line_with_its_name_and_a_right_value(file, name, text, example):
    with pytest.raises(ImproperlyConfigured) as raised:
        read(file, **{name: text})
    message = str(raised.value)
    assert message.startswith(name)
    assert f"{name}={example}" in message
    assert "\n" not in message
    assert "hidden" not in message


def test_a_server_for_mail_is_read_with_its_port_and_encryption():
    values = read("people.py", PAWSMITH_MAIL="smtp+tls://ann:a%23b@mail.example:587")
    names = ("EMAIL_HOST", "EMAIL_PORT", "EMAIL_HOST_PASSWORD", "EMAIL_USE_TLS", "SENDS_MAIL")
    assert [values[name] for name in names] == ["mail.example", 587, "a#b", True, True]


def test_an_empty_text_counts_as_not_set():
    values = read("people.py", PAWSMITH_MAIL="", PAWSMITH_PROXIES="")
    assert (values["PROXIES"], values["SENDS_MAIL"]) == (0, False)


def test_gunicorn_ends_without_a_traceback():
    serve = ["-m", "gunicorn", "--config", "python:config.gunicorn", "--bind", "127.0.0.1:0"]
    ran = python(*serve, "config.wsgi", PAWSMITH_PROXIES="one")
    assert "\nPAWSMITH_PROXIES is 'one'. Write" in ran.stderr
    assert "Traceback" not in ran.stderr
