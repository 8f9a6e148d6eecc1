"""Sign-in by an OpenID Connect provider, such as that of a university, with or without passwords
(docs/operator/security.md)."""

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from common.places import env
from config.settings.installation import LOOPBACK

# The issuer, as the provider's own description writes it. Empty: there is no provider.
OIDC_SERVER = env.str("PAWSMITH_OIDC_SERVER", default="")
OIDC_CLIENT_ID = env.str("PAWSMITH_OIDC_CLIENT_ID", default="")
OIDC_CLIENT_SECRET = env.str("PAWSMITH_OIDC_CLIENT_SECRET", default="")
# On the buttons: the name that people know it by.
OIDC_NAME = env.str("PAWSMITH_OIDC_NAME", default="")
# Whether its verified mail addresses open accounts to which administrators gave these addresses.
OIDC_TRUSTS_MAIL = env.bool("PAWSMITH_OIDC_TRUST_MAIL", default=False)
# Compose passes an empty text on.
PASSWORDS = not env.str("PAWSMITH_PASSWORDS", default="") or env.bool("PAWSMITH_PASSWORDS")
# Shown to people who sign in by the provider and have no account.
CONTACT = env.str("PAWSMITH_CONTACT", default="")

if OIDC_SERVER:
    _needed = {
        "PAWSMITH_OIDC_CLIENT_ID": OIDC_CLIENT_ID,
        "PAWSMITH_OIDC_CLIENT_SECRET": OIDC_CLIENT_SECRET,
        "PAWSMITH_OIDC_NAME": OIDC_NAME,
    }
    if _empty := [name for name, value in _needed.items() if not value]:
        raise ImproperlyConfigured(
            f"PAWSMITH_OIDC_SERVER names a provider, so set {', '.join(_empty)} too "
            "(docs/operator/settings.md)."
        )
    _server = urlsplit(OIDC_SERVER)
    _is_local = _server.scheme == "http" and _server.hostname in LOOPBACK
    if _server.scheme != "https" and not _is_local:
        raise ImproperlyConfigured(
            f"PAWSMITH_OIDC_SERVER is {OIDC_SERVER!r}. Write the issuer as the provider does: it "
            "begins with https://."
        )
if not (PASSWORDS or OIDC_SERVER):
    raise ImproperlyConfigured(
        "With PAWSMITH_PASSWORDS=off, people sign in by a provider: set PAWSMITH_OIDC_SERVER, or "
        "PAWSMITH_PASSWORDS=on."
    )

SOCIALACCOUNT_ADAPTER = "accounts.provider_adapter.Adapter"
SOCIALACCOUNT_FORMS = {"signup": "accounts.forms.ProviderSignupForm"}
# People choose their user name: the provider's would tell managers who they are.
SOCIALACCOUNT_AUTO_SIGNUP = False
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True
SOCIALACCOUNT_STORE_TOKENS = False
