"""What is logged, and in which form; config/logs.py says what a line holds."""

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
        # At one's own machine they would bury what a terminal has to say.
        "operations.requests": {"level": "INFO" if ADDRESS.is_public else "WARNING"},
        # Each message and each task that went well: sweeps alone would be twenty a minute.
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        # Errors alone: every request has a line of its own, whatever its answer was.
        "django": {"handlers": [], "level": "ERROR"},
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
    },
}
