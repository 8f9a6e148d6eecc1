"""Settings: wiring only. Everything that differs between installations comes from the environment.

docs/settings.md lists the variables. `var/pawsmith.env`, which `scripts/run` writes, is read first.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF

from config.interface import CHAPTERS, INTRODUCTION

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.1.0"

env = environ.Env()
env.read_env(BASE_DIR / "var" / "pawsmith.env")

SECRET_KEY = env.str("PAWSMITH_SECRET_KEY")
DEBUG = env.bool("PAWSMITH_DEBUG", default=False)
ALLOWED_HOSTS = env.list("PAWSMITH_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("PAWSMITH_ORIGINS", default=[])
# Where files that the application writes are kept: the SQLite database and the releases.
DATA_DIR = Path(env.str("PAWSMITH_DATA_DIR", default=str(BASE_DIR / "var")))
RELEASES_DIR = DATA_DIR / "releases"

INSTALLED_APPS = [
    "accounts",
    "generation",
    "annotation",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "drf_standardized_errors",
    "import_export",
    "knox",
    "rest_framework",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
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
            ],
        },
    }
]

# Writers wait for each other instead of failing, and a commit is on disk when it returns. SQLite
# wakes them in no order: among twenty that write without pause, one may wait for over 20 seconds.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 60,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}


# Statements are prepared once for each connection. That Postgres has closed a connection is found
# out by the request that fails on it, and which pages of work send again by themselves: to ask
# beforehand would cost every request a statement.
POSTGRES_OPTIONS = {"server_side_binding": True, "prepare_threshold": 2}


def _database() -> dict[str, Any]:
    database = env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'pawsmith.sqlite3'}")
    if database["ENGINE"].endswith("sqlite3"):
        return database | {"OPTIONS": SQLITE_OPTIONS}
    options = POSTGRES_OPTIONS | database.get("OPTIONS", {})
    return database | {"CONN_MAX_AGE": 600, "OPTIONS": options}


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
SESSION_ENGINE = "accounts.sessions"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapter.InvitedAccountAdapter"
ACCOUNT_FORMS = {"signup": "accounts.forms.SignupForm"}
# Who comes in by a link makes an account of their own: accounts asks this module who may.
SIGN_UP_INVITATIONS = "annotation.services.invitations"
# What accounts has to know of the studies of its people, and must let them know.
STUDIES_OF_PEOPLE = "annotation.services.account_holders"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True

# What a browser asks for, until somebody chooses at the foot of a page (docs/translating.md).
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "accounts.scopes.WithinScope",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_METADATA_CLASS": None,  # the schema says it; OPTIONS is not allowed
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_SCHEMA_CLASS": "generation.api.schema.Schema",
    "EXCEPTION_HANDLER": "drf_standardized_errors.handler.exception_handler",
}
# What the schema promises wherever it can occur: generation/api/schema.py says where.
DRF_STANDARDIZED_ERRORS = {
    "ALLOWED_ERROR_STATUS_CODES": ["400", "401", "403", "404", "405", "406", "415"],
    "ERROR_SCHEMAS": {"400": "generation.api.errors.BadlyAsked"},
    "EXCEPTION_HANDLER_CLASS": "generation.api.errors.Handler",
}
# knox would make a table for the model in whose place ours stands.
MIGRATION_MODULES = {"knox": None}
KNOX_TOKEN_MODEL = "accounts.AccessToken"  # noqa: S105 not a secret
REST_KNOX = {"TOKEN_TTL": timedelta(days=90)}
SPECTACULAR_SETTINGS = {
    "TITLE": "Pawsmith",
    "DESCRIPTION": INTRODUCTION,
    "TAGS": CHAPTERS,
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "MethodEnum": "generation.models.Method",
        "ReleaseStateEnum": "annotation.models.Release.State",
        "RunStateEnum": "generation.models.GenerationRun.State",
        "ClientErrorEnum": "drf_standardized_errors.openapi_serializers.ClientErrorEnum",
        "ValidationErrorEnum": "drf_standardized_errors.openapi_serializers.ValidationErrorEnum",
    },
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "defaultModelsExpandDepth": -1},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# Celery only wakes workers up; the state of the work is in the database (docs/workers.md).
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = TIME_ZONE
# A message is acknowledged when its work is done, and comes again when its worker died over it.
# What ends a batch that kills its workers is its own count of attempts.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Far beyond what a batch may take: these stop what hangs. The soft limit fails the attempt.
CELERY_TASK_SOFT_TIME_LIMIT = 120 * 60
CELERY_TASK_TIME_LIMIT = 125 * 60
# Unacknowledged for longer, a message comes again: Celery's manual wants this said thrice.
CELERY_VISIBILITY_TIMEOUT = 180 * 60
CELERY_RESULT_BACKEND_TRANSPORT_OPTIONS = {"visibility_timeout": CELERY_VISIBILITY_TIMEOUT}
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": CELERY_VISIBILITY_TIMEOUT,
    "queue_order_strategy": "sorted",  # what beat sends goes before batches
    "socket_timeout": 30,
    "socket_connect_timeout": 5,
    "socket_keepalive": True,
    "health_check_interval": 10,
}
# Redis may be away for as long as it likes; a batch that is being worked is worked to its end.
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
# Kibibytes: a process that has ever held more is replaced after its task.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = env.int("PAWSMITH_WORKER_MEMORY", default=2048) * 1024

# Who steers which run is on record, whatever else is logged.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "loggers": {"generation.services.steering": {"handlers": ["console"], "level": "INFO"}},
}
