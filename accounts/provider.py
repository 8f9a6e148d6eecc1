"""The OpenID Connect provider of this installation (config/settings/provider.py).

allauth finds its class by the name of this module. It trusts ID tokens that come over TLS; here
their signature and a nonce are checked too, and nothing but the identifier `sub` is stored.
"""

from typing import Any, cast

import jwt
from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialLogin, SocialToken
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from allauth.utils import build_absolute_uri
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import get_random_string, salted_hmac

# Signed with a private key of the provider: not `none`, and no secret that clients have as well.
ALGORITHMS = [
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
]
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri")
REMEMBERED_FOR = 300  # seconds; the provider's description
CLOCKS_DIFFER_BY = 60  # seconds
LONGEST_SUB = 191  # the column of allauth


def ways_to_sign_in(_request: HttpRequest) -> dict[str, Any]:
    """Tell templates whether there are passwords, and the name of the provider, if any."""
    name = settings.OIDC_NAME if settings.OIDC_SERVER else ""
    return {"sign_in": {"passwords": settings.PASSWORDS, "provider": name}}


class Handshake(OpenIDConnectOAuth2Adapter):
    """Fetches what the provider says about a person, and checks it."""

    @property
    def openid_config(self) -> dict[str, Any]:
        """What the provider says about itself. Raises OAuth2Error if it is another one."""
        server = settings.OIDC_SERVER
        config: dict[str, Any] | None = cache.get(f"oidc:{server}")
        if config is None:
            config = self._fetch(self.get_provider().server_url)
            if config.get("issuer") != server:
                raise OAuth2Error("The provider describes itself by another issuer.")
            if missing := [name for name in ENDPOINTS if not isinstance(config.get(name), str)]:
                raise OAuth2Error(f"The provider doesn't name its {', '.join(missing)}.")
            cache.set(f"oidc:{server}", config, REMEMBERED_FOR)
        return config

    @property
    def basic_auth(self) -> bool:
        methods = self.openid_config.get("token_endpoint_auth_methods_supported", ["basic"])
        return "client_secret_post" not in methods

    def get_callback_url(self, request: HttpRequest, app: object) -> str:
        address: str = build_absolute_uri(request, reverse("provider_callback"))
        return address

    def complete_login(
        self, request: HttpRequest, app: Any, token: SocialToken, **options: Any
    ) -> SocialLogin:
        """Return who the provider says signs in. Raises OAuth2Error unless all of it is proved."""
        try:
            claims = self._proved_claims(app, options["response"].get("id_token"))
            if claims.get("nonce") != nonce_for(request.GET["state"]):
                raise OAuth2Error("The ID token is not for this sign-in: its nonce differs.")
            if settings.OIDC_TRUSTS_MAIL:
                claims |= self._mail_of(claims["sub"], token)
            return self.get_provider().sociallogin_from_response(request, claims)
        except (jwt.PyJWTError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise OAuth2Error(f"The ID token can't be trusted: {error!r}") from error

    def _proved_claims(self, app: Any, id_token: str | None) -> dict[str, Any]:
        """Check an ID token as OpenID Connect Core 1.0, section 3.1.3.7, says."""
        if not isinstance(id_token, str):
            raise OAuth2Error("The provider sent no ID token.")
        claims = jwt.decode(
            id_token,
            key=self._key(id_token),
            algorithms=ALGORITHMS,
            audience=app.client_id,
            issuer=settings.OIDC_SERVER,
            leeway=CLOCKS_DIFFER_BY,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
        if claims.get("azp", app.client_id) != app.client_id:
            raise OAuth2Error("The ID token was issued to another application.")
        if not 0 < len(claims["sub"]) <= LONGEST_SUB:
            raise OAuth2Error(f"The identifier has not 1 to {LONGEST_SUB} characters.")
        return claims

    def _key(self, id_token: str) -> jwt.PyJWK:
        """Return the key of the provider that an ID token names, or its only key."""
        header = jwt.get_unverified_header(id_token)
        keys = self._fetch(self.openid_config["jwks_uri"])["keys"]
        for key in keys:
            if key.get("kid") == header.get("kid") or ("kid" not in header and len(keys) == 1):
                return jwt.PyJWK(key, algorithm=key.get("alg", header["alg"]))
        raise OAuth2Error("The ID token is signed with a key that the provider doesn't list.")

    def _mail_of(self, sub: str, token: SocialToken) -> dict[str, Any]:
        """Return the claims about the mail address. Raises OAuth2Error for another person's."""
        headers = {"Authorization": f"Bearer {token.token}"}
        information = self._fetch(self.openid_config["userinfo_endpoint"], headers=headers)
        if information["sub"] != sub:
            raise OAuth2Error("The provider's information is about another person.")
        return {name: information.get(name) for name in ("email", "email_verified")}

    def _fetch(self, address: str, **options: Any) -> dict[str, Any]:
        with get_adapter().get_requests_session() as session:
            reply = session.get(address, **options)
        reply.raise_for_status()
        content: Any = reply.json()
        if not isinstance(content, dict):
            raise OAuth2Error(f"{address} answered with something else than an object.")
        return cast("dict[str, Any]", content)


class Provider(OpenIDConnectProvider):
    """Asks for as little about a person as possible: an identifier, or also a mail address."""

    oauth2_adapter_class = Handshake
    pkce_enabled_default = True

    @property
    def server_url(self) -> str:
        return f"{settings.OIDC_SERVER.rstrip('/')}/.well-known/openid-configuration"

    def get_default_scope(self) -> list[str]:
        return ["openid", "email"] if settings.OIDC_TRUSTS_MAIL else ["openid"]

    def get_redirect_from_request_kwargs(self, request: HttpRequest) -> dict[str, Any]:
        """Decide what is asked of the provider; allauth would let the address add to it.

        `link` names the account of a link that the sign-in began with (accounts/services.py).
        """
        is_signed_in, state = request.user.is_authenticated, get_random_string(32)
        kwargs: dict[str, Any] = super().get_redirect_from_request_kwargs(request)
        return kwargs | {
            "process": AuthProcess.CONNECT if is_signed_in else AuthProcess.LOGIN,
            "scope": self.get_scope(),
            "auth_params": {"nonce": nonce_for(state)},
            "state_id": state,
            "link": request.POST.get("link", ""),
        }

    def extract_uid(self, data: dict[str, Any]) -> str:
        return str(data["sub"])

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        return {}

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        return {}

    def extract_email_addresses(self, data: dict[str, Any]) -> list[EmailAddress]:
        """Return the address of the person, unless the provider has not verified it."""
        address, is_verified = data.get("email"), data.get("email_verified")
        # Some providers write the text.
        if not isinstance(address, str) or not (is_verified is True or is_verified == "true"):
            return []
        return [EmailAddress(email=address, verified=True, primary=True)]


def nonce_for(state: str) -> str:
    """Return the nonce of a sign-in: it is used once and in one session, as its state is."""
    return salted_hmac("accounts.provider", state, algorithm="sha256").hexdigest()


provider_classes = [Provider]
