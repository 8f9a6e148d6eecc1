"""Sign-in by an OpenID Connect provider, such as that of a university, with or without passwords
(docs/operator/security.md)."""

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from common.places import env
from config.settings import variables
from config.settings.installation import LOOPBACK

_DESCRIPTION = "/.well-known/openid-configuration"

# The issuer, as the provider's own description writes it. Empty: there is no provider.
OIDC_SERVER = env.str("PAWSMITH_OIDC_SERVER", default="")
OIDC_CLIENT_ID = env.str("PAWSMITH_OIDC_CLIENT_ID", default="")
OIDC_CLIENT_SECRET = env.str("PAWSMITH_OIDC_CLIENT_SECRET", default="")
# On the buttons: the name that people know it by.
OIDC_NAME = env.str("PAWSMITH_OIDC_NAME", default="")
# Whether its verified mail addresses open accounts to which administrators gave these addresses.
OIDC_TRUSTS_MAIL = variables.is_on("PAWSMITH_OIDC_TRUST_MAIL", default=False)
PASSWORDS = variables.is_on("PAWSMITH_PASSWORDS", default=True)
# Shown to people who sign in by the provider and have no account.
CONTACT = env.str("PAWSMITH_CONTACT", default="")

_needed = {
    "PAWSMITH_OIDC_CLIENT_ID": OIDC_CLIENT_ID,
    "PAWSMITH_OIDC_CLIENT_SECRET": OIDC_CLIENT_SECRET,
    "PAWSMITH_OIDC_NAME": OIDC_NAME,
}
if OIDC_SERVER:
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
    if OIDC_SERVER.rstrip("/").endswith(_DESCRIPTION):
        raise ImproperlyConfigured(
            "PAWSMITH_OIDC_SERVER is the address of the provider's description. Leave out its end: "
            f"PAWSMITH_OIDC_SERVER={OIDC_SERVER.rstrip('/').removesuffix(_DESCRIPTION)}"
        )
elif _without_server := [name for name, value in _needed.items() if value]:
    raise ImproperlyConfigured(
        f"{', '.join(_without_server)} is set without a provider. Set PAWSMITH_OIDC_SERVER too, "
        "such as PAWSMITH_OIDC_SERVER=https://login.uni.example/realms/uni, or leave it out."
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
