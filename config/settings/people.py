"""Who comes in, and how."""

from config.settings.installation import ADDRESS

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
ACCOUNT_ADAPTER = "accounts.allauth_adapter.InvitedAccountAdapter"
ACCOUNT_FORMS = {
    "change_password": "accounts.forms.ChangePasswordForm",
    "signup": "accounts.forms.SignupForm",
}
# How often passwords and codes may be tried is counted in the database (accounts/limits.py). What
# is left here keeps a single process from being flooded, and lets a full lecture hall in at once.
ACCOUNT_RATE_LIMITS = {
    "change_password": "60/m/user",
    "login": None,
    "login_failed": None,
    "reauthenticate": "60/m/user",
    "reset_password_from_key": "600/m/ip",
    "signup": "600/m/ip",
}
# Who comes in by a link makes an account of their own: accounts asks this module who may.
SIGN_UP_INVITATIONS = "annotation.people.services.invitations"
# What accounts has to know of the studies of its people, and must let them know.
STUDIES_OF_PEOPLE = "annotation.people.services.accounts"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True

# Codes from an app, and ten others for the day on which the app is lost.
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ADAPTER = "accounts.second_factor.Adapter"
MFA_FORMS = {
    "authenticate": "accounts.second_factor_forms.AuthenticateForm",
    "reauthenticate": "accounts.second_factor_forms.ReauthenticateForm",
}
MFA_TOTP_ISSUER = "Pawsmith"
# A code that was typed slowly, or by a clock that is half a minute off (RFC 6238, 5.2).
MFA_TOTP_TOLERANCE = 1
# Nobody is asked for a verified address: none is asked for at all.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# The admin opens to nobody by a password alone where others can reach it.
STAFF_NEEDS_SECOND_FACTOR = ADDRESS.is_public
# With this prefix, browsers take a cookie from nobody but this host.
KNOWN_BROWSER_COOKIE = "__Host-known" if ADDRESS.is_public else "known"
