"""Settings: applications, pages, languages, workers and logs; the other topics are imported."""

from common.places import STATIC_DIR, env
from config.settings import variables
from config.settings.installation import *
from config.settings.installation import ADDRESS, BASE_DIR
from config.settings.interface import *
from config.settings.people import *
from config.settings.provider import *

# Our own applications; `common` and `config` have no tables.
ROOMS = ["accounts", "generation", "annotation", "releases", "evaluation", "operations"]

INSTALLED_APPS = [
    *ROOMS,
    "accounts.admin_app.GuardedAdmin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    # Its tables are always there, so that erasing an account leaves nothing in them.
    "allauth.socialaccount",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "drf_standardized_errors",
    "import_export",
    "knox",
    "rest_framework",
]

MIDDLEWARE = [
    "operations.probes.answering_probes",
    "operations.middleware.guarding_headers",
    "operations.receiving.sealed_bodies",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "operations.middleware.log_requests",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    # Before bounded_bodies: the page of a refused body asks whether htmx wants it.
    "django_htmx.middleware.HtmxMiddleware",
    "operations.receiving.bounded_bodies",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "operations.middleware.leading_up",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.provider.ways_to_sign_in",
            ]
        },
    }
]

# The browser's language, unless another was chosen in the footer (docs/contributor/translating.md).
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = f"{ADDRESS.path}/static/"
STATIC_ROOT = str(STATIC_DIR)
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# Celery only wakes workers up; the state of the work is in the database (docs/operator/workers.md).
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = TIME_ZONE
# A message is acknowledged when its work is done, and delivered again if its worker dies. A batch
# that kills its workers is stopped by its own count of attempts.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Far more than a batch may take: these stop hung tasks. The soft limit fails the attempt.
CELERY_TASK_SOFT_TIME_LIMIT = 120 * 60
CELERY_TASK_TIME_LIMIT = 125 * 60
# After this time, unacknowledged messages are delivered again; Celery needs it three times.
CELERY_VISIBILITY_TIMEOUT = 180 * 60
CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"visibility_timeout": CELERY_VISIBILITY_TIMEOUT}
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": CELERY_VISIBILITY_TIMEOUT,
    "queue_order_strategy": "sorted",  # messages from beat come before batches
    "socket_timeout": 30,
    "socket_connect_timeout": 5,
    "socket_keepalive": True,
    "health_check_interval": 10,
}
# Workers wait for Redis without limit, and finish the batch in progress meanwhile.
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
# In KiB; a process that has ever used more is replaced after its task.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = (
    variables.whole_number("PAWSMITH_WORKER_MEMORY", default=2048, smallest=1) * 1024
)
# A file that a Celery worker touches every two seconds, for health checks.
SIGN_OF_LIFE = env.str("PAWSMITH_SIGN_OF_LIFE", default="")

READABLE = {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "config.logs.json_lines"} if ADDRESS.is_public else READABLE},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "lines"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        **{
            name: {"level": "INFO"}
            for name in (*ROOMS, "common", "config", "celery", "gunicorn.error")
        },
        # On a local installation, they would hide other messages in the terminal.
        "operations.middleware": {"level": "INFO" if ADDRESS.is_public else "WARNING"},
        # No line for each message and successful task: sweeps alone would log 20 a minute.
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        # Errors only: operations.middleware logs every request.
        "django": {"handlers": [], "level": "ERROR"},
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
    },
}
