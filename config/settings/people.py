"""Accounts, sign-in, two-factor authentication and the security of pages.

The rules for pages are those of Mozilla's HTTP Observatory
(https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring); those that need HTTPS
apply to public installations only.
"""

from common.places import env
from config.settings import variables
from config.settings.installation import ADDRESS

AUTH_USER_MODEL = "accounts.User"
SESSION_ENGINE = "accounts.sessions"
AUTHENTICATION_BACKENDS = ["accounts.sessions.Backend"]
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
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.allauth_adapter.InvitedAccountAdapter"
ACCOUNT_FORMS = {
    "change_password": "accounts.forms.ChangePasswordForm",
    "reset_password_from_key": "accounts.forms.LinkPasswordForm",
    "signup": "accounts.forms.SignupForm",
}
# Password and code attempts are limited in the database (accounts/limits.py). These limits only
# protect a single process from floods, and let a full lecture hall sign in together.
ACCOUNT_RATE_LIMITS = {
    "change_password": "60/m/user",
    "login": None,
    "login_failed": None,
    "provider": "600/m/ip",
    "reauthenticate": "60/m/user",
    "reset_password_from_key": "600/m/ip",
    "signup": "600/m/ip",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
# Choosing a password by a link also signs in; two-factor authentication still asks for a code.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True

# Codes from an authenticator app, and ten recovery codes in case it is lost.
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ADAPTER = "accounts.second_factor.Adapter"
MFA_FORMS = {
    "activate_totp": "accounts.forms.ActivateForm",
    "authenticate": "accounts.forms.AuthenticateForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
MFA_TOTP_ISSUER = "Pawsmith"
# Allows slow typing, or a clock that is 30 seconds off (RFC 6238, section 5.2).
MFA_TOTP_TOLERANCE = 1
# Sign-up asks for no email address, so there is none to verify.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# On a public installation, the admin requires two-factor authentication.
STAFF_NEEDS_SECOND_FACTOR = ADDRESS.is_public
# With these prefixes, browsers accept a cookie only over HTTPS; with the second, only from this
# host, and for all of its paths (RFC 6265bis, section 4.1.3).
_SECURE = "__Secure-pawsmith-" if ADDRESS.path else "__Host-"
_PREFIX = _SECURE if ADDRESS.is_public else ""
KNOWN_BROWSER_COOKIE = f"{_PREFIX}known"
PARTICIPANT_BROWSER_COOKIE = f"{_PREFIX}browser"
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = LANGUAGE_COOKIE_PATH = ADDRESS.path or "/"
if ADDRESS.path:
    # Django has no setting for the path of their cookie, and other applications have one too.
    MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# How many trusted proxies a request passes through. This number of addresses in X-Forwarded-For,
# from the right, can be trusted; the leftmost of these is the client.
PROXIES = ALLAUTH_TRUSTED_PROXY_COUNT = variables.whole_number("PAWSMITH_PROXIES", default=0)

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; base-uri 'self'; connect-src 'self'; font-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; img-src 'self' data:; script-src 'self'; style-src 'self'"
)
if ADDRESS.is_public:
    CONTENT_SECURITY_POLICY += "; upgrade-insecure-requests"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

if ADDRESS.is_public:
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, LANGUAGE_COOKIE_NAME = (
        f"{_PREFIX}{name}" for name in ("session", "csrf", "language")
    )
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    if ADDRESS.path:
        # HSTS is up to those who run the host.
        SILENCED_SYSTEM_CHECKS = ["security.W004"]
    else:
        SECURE_HSTS_SECONDS = 2 * 365 * 24 * 60 * 60
        SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    if PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Mail about events, to managers who ask for it (docs/operator/events.md). Empty: none is sent.
_MAIL_SERVER = variables.mail_server("PAWSMITH_MAIL")
SENDS_MAIL = bool(_MAIL_SERVER)
DEFAULT_FROM_EMAIL = env.str("PAWSMITH_MAIL_FROM", default="") or f"pawsmith@{ADDRESS.host}"
EMAIL_TIMEOUT = 10
globals().update(_MAIL_SERVER)
