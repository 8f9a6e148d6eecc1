"""Installed applications, middleware in request order, and templates."""

from config.environment import BASE_DIR

INSTALLED_APPS = [
    "accounts",
    "generation",
    "annotation",
    "releases",
    "operations",
    "accounts.admin_app.GuardedAdmin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
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
    "config.health.answering_probes",
    "config.headers.guarding_headers",
    "django.middleware.security.SecurityMiddleware",
    # Before static files, which need this header as well.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.bodies.bounded_bodies",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "operations.requests.logged",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
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
