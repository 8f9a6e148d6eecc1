"""Security: proxies, Content Security Policy, cookies and HTTPS.

The rules are those of Mozilla's HTTP Observatory
(https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring); those that need HTTPS
apply to public installations only.
"""

from csp.constants import NONE, SELF

from config.environment import env
from config.settings.installation import ADDRESS

# How many trusted proxies a request passes through. This number of addresses in X-Forwarded-For,
# from the right, can be trusted; the leftmost of these is the client.
PROXIES = ALLAUTH_TRUSTED_PROXY_COUNT = env.int("PAWSMITH_PROXIES", default=0)

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [SELF],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "script-src": [SELF],
        "style-src": [SELF],
        "upgrade-insecure-requests": ADDRESS.is_public,
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

if ADDRESS.is_public:
    # With this prefix, browsers accept a cookie only over HTTPS and only from this host.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, LANGUAGE_COOKIE_NAME = (
        f"__Host-{name}" for name in ("session", "csrf", "language")
    )
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 2 * 365 * 24 * 60 * 60
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    if PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
