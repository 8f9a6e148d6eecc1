"""The REST API, its tokens and its documentation page."""

from datetime import timedelta

from config.openapi_text import CHAPTERS, INTRODUCTION
from config.settings.installation import VERSION

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
    "DEFAULT_METADATA_CLASS": None,  # OPTIONS is not allowed; see the schema instead
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_SCHEMA_CLASS": "config.openapi.Schema",
    "EXCEPTION_HANDLER": "drf_standardized_errors.handler.exception_handler",
}
# Documented errors; config/openapi.py decides where they can occur.
DRF_STANDARDIZED_ERRORS = {
    "ALLOWED_ERROR_STATUS_CODES": ["400", "401", "403", "404", "405", "406", "415"],
    "ERROR_SCHEMAS": {"400": "common.api.errors.InvalidRequest"},
    "EXCEPTION_HANDLER_CLASS": "common.api.errors.Handler",
}
# Knox's migrations would create a table for its token model, which ours replaces.
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
        "ReleaseStateEnum": "releases.models.Release.State",
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
