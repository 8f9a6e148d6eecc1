"""What is logged and in which format; config/logs.py defines the content of a line."""

from config.settings.installation import ADDRESS

FORMATTER = "JsonLines" if ADDRESS.is_public else "ReadableLines"
OURS = ("accounts", "annotation", "common", "config", "generation", "operations", "releases")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": f"config.logs.{FORMATTER}"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "lines"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        **{name: {"level": "INFO"} for name in (*OURS, "celery", "gunicorn.error")},
        # On a local installation, they would hide other messages in the terminal.
        "operations.requests": {"level": "INFO" if ADDRESS.is_public else "WARNING"},
        # No line for each message and successful task: sweeps alone would log 20 a minute.
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        # Errors only: operations.requests logs every request.
        "django": {"handlers": [], "level": "ERROR"},
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
    },
}
