"""An OpenID Connect provider that answers what tests tell it to, with real keys and signatures."""

import json
import time
from base64 import urlsafe_b64encode
from hashlib import sha256
from urllib.parse import parse_qsl, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from requests import Response

SERVER = "https://login.uni.example"
SETTINGS = {
    "OIDC_SERVER": SERVER,
    "OIDC_CLIENT_ID": "pawsmith",
    "OIDC_CLIENT_SECRET": "a-secret-of-both",
    "OIDC_NAME": "Example University",
}
KEY, OTHER_KEY = (rsa.generate_private_key(65537, 2048) for _ in range(2))

# What a hostile provider, or somebody between it and Pawsmith, may send: changes to a Provider.
NOW = int(time.time())
HS256 = {"alg": "HS256", "key": "a-secret-of-both-parties-of-the-sign-in"}
FORGED = {
    "wrong audience": {"claims": {"aud": "another-client"}},
    "several audiences, issued to another": {
        "claims": {"aud": ["pawsmith", "another"], "azp": "another"}
    },
    "wrong issuer": {"claims": {"iss": "https://evil.example"}},
    "expired": {"claims": {"iat": NOW - 900, "exp": NOW - 600}},
    "without an expiry": {"claims": {"exp": None}},
    "bad signature": {"key": OTHER_KEY},
    "an unlisted key": {"key": OTHER_KEY, "kid": "second"},
    "alg none": {"alg": "none", "key": None},
    "a signature with the shared secret": HS256,
    "another nonce": {"claims": {"nonce": "of-an-earlier-sign-in"}},
    "no nonce": {"claims": {"nonce": None}},
    "no identifier": {"claims": {"sub": None}},
    "an empty identifier": {"claims": {"sub": ""}},
    "an identifier that is no text": {"claims": {"sub": 1}},
    "no ID token": {"lies": {"/token": (200, {"access_token": "x"})}},
    "a broken ID token": {"lies": {"/token": (200, {"access_token": "x", "id_token": "a.b.c"})}},
    "a code that the provider refuses": {"lies": {"/token": (400, {"error": "invalid_grant"})}},
    "keys that can't be fetched": {"lies": {"/keys": (500, {})}},
    "keys that are none": {"lies": {"/keys": (200, ["key"])}},
}


class Provider:
    """One person signs in: `sub` and `information`. `claims`, `key`, `alg`, `kid` and `lies` forge.

    `claims` replaces claims of the ID token, and removes those that are None; `lies` replaces
    whole replies, by address.
    """

    def __init__(self, server=SERVER):
        self.server = server
        self.sub, self.information = "person-1", {}
        self.claims, self.key, self.alg, self.kid = {}, KEY, "RS256", "first"
        self.lies = {}
        self.asked = []

    def authorize(self, address):
        """Let the person sign in at this address; returns where the browser is sent then."""
        query = dict(parse_qsl(urlsplit(address).query))
        self.query = query
        return f"{query['redirect_uri']}?code=a-code&state={query['state']}"

    def reply(self, method, path, form=(), headers=()):
        """The status and the JSON for a request of Pawsmith."""
        self.asked.append(path)
        if path in self.lies:
            return self.lies[path]
        replies = {
            "/.well-known/openid-configuration": self._description,
            "/token": lambda: self._tokens(dict(form)),
            "/keys": self._keys,
            "/me": lambda: {"sub": self.sub} | self.information,
        }
        return 200, replies[path]()

    def _description(self):
        paths = {"authorization": "/authorize", "token": "/token", "userinfo": "/me"}
        endpoints = {f"{name}_endpoint": self.server + path for name, path in paths.items()}
        return {"issuer": self.server, "jwks_uri": f"{self.server}/keys"} | endpoints

    def _keys(self):
        public = json.loads(RSAAlgorithm.to_jwk(KEY.public_key()))
        return {"keys": [public | {"kid": "first", "alg": "RS256", "use": "sig"}]}

    def _tokens(self, form):
        """Tokens for the code, if the sender holds the secret of the request that it came from."""
        digest = sha256(form["code_verifier"].encode()).digest()
        proof = urlsafe_b64encode(digest).rstrip(b"=").decode()
        assert (form["code"], proof) == ("a-code", self.query["code_challenge"])
        return {"access_token": "opens-the-door", "token_type": "Bearer"} | self._id_token()

    def _id_token(self):
        now = int(time.time())
        claims = {
            "iss": self.server,
            "sub": self.sub,
            "aud": "pawsmith",
            "iat": now,
            "exp": now + 300,
            "nonce": self.query["nonce"],
        } | self.claims
        claims = {name: value for name, value in claims.items() if value is not None}
        token = jwt.encode(claims, self.key, algorithm=self.alg, headers={"kid": self.kid})
        return {"id_token": token}


class Session:
    """What Pawsmith asks the provider with, in place of a session of requests."""

    def __init__(self, provider):
        self.provider = provider

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass

    def get(self, address, **options):
        return self.request("GET", address, **options)

    def request(self, method, address, data=None, **options):
        status, content = self.provider.reply(method, urlsplit(address).path, data or {})
        reply = Response()
        reply.status_code, reply._content = status, json.dumps(content).encode()
        reply.headers["content-type"] = "application/json"
        return reply


def start(client, **sent):
    """Press the button of the provider; returns the address that the browser is led to."""
    page = client.post("/accounts/oidc/start/", sent)
    assert page.status_code == 200, page.content.decode()
    return page.context["address"]


def sign_in(client, provider, **sent):
    """Sign in by the provider; returns Pawsmith's reply to the browser that comes back."""
    back = urlsplit(provider.authorize(start(client, **sent)))
    return client.get(back.path, dict(parse_qsl(back.query)))
