"""The REST API, its tokens and its description."""

from datetime import timedelta

from config.settings.installation import ADDRESS, VERSION

INTRODUCTION = """\
The data of a study for programs: corpora, runs, pairs with every answer, figures, releases. Only
managers and researchers of a project have access; others receive 404.

Programs authenticate with a **token**, which you create on your page of tokens, in the header
`Authorization: Token …`. Each operation names the scope that it requires: `releases`, `read` or
`manage`, of which each includes those before it.

**Lists** are in pages: `next` is the address of the next one. With `Accept: application/x-ndjson`
the reply is the whole list, a row on each line. Unknown parameters are refused.

**Errors** have one form: `type`, and `errors` with `code` for programs, `detail` for people, and
`attr`, the parameter or field, or null.
"""

CHAPTERS = [
    {"name": "Projects", "description": "Protocol, progress, agreement, and who annotates"},
    {"name": "Pairs and answers", "description": "Every pair, with all that people did with it"},
    {"name": "Models", "description": "Models that labelled pairs"},
    {"name": "Releases", "description": "Published datasets, and their files"},
    {"name": "Corpora and runs", "description": "Sentences, and how machines rewrite them"},
]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.scopes.TokenAuthentication",
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
    "ALLOWED_ERROR_STATUS_CODES": [400, 401, 403, 404, 405, 406, 408, 411, 413, 415],
    "ERROR_SCHEMAS": {
        400: "common.api.errors.InvalidRequest",
        **dict.fromkeys([408, 411, 413], "common.api.errors.RefusalResponse"),
    },
    "EXCEPTION_HANDLER_CLASS": "common.api.errors.Handler",
    "EXCEPTION_FORMATTER_CLASS": "common.api.errors.Formatter",
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
    "SERVERS": [{"url": ADDRESS.path or "/"}],
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "MethodEnum": "generation.models.Method",
        "MethodOfPairsEnum": "generation.models.OF_PAIRS",
        "KindOfWorkEnum": "annotation.work.kinds.NAMES",
        "KindOfImportEnum": "annotation.models.imports.Import.Kind",
        "RuleOfLabelsEnum": "annotation.projects.api.RULES",
        "InvitationStateEnum": "annotation.people.api.STATES",
        "GivenRoleEnum": "annotation.models.people.GIVEN_ROLES",
        "MemberRoleEnum": "annotation.models.people.Role",
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
