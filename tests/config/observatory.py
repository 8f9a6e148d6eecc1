"""What Mozilla's HTTP Observatory gives for the headers of a reply.

The rules and their points: https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring.
A site in the browsers' own list of HTTPS sites gets five points more, which no reply tells.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from http.cookies import Morsel, SimpleCookie
from urllib.parse import urlsplit

A_PLUS = 100
BASELINE = 100
EXTRA_CREDIT_FROM = 90
SIX_MONTHS = 15_768_000
SESSION = re.compile(r"sess|login|auth", re.IGNORECASE)
ANTI_CSRF = re.compile(r"csrf", re.IGNORECASE)
PRIVATE = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}
UNSAFE = {"no-referrer-when-downgrade", "origin", "origin-when-cross-origin", "unsafe-url"}
BROAD = {"https:", "*"}
INLINE = {"'unsafe-inline'", "data:"}
# A nonce or a digest makes browsers pass over 'unsafe-inline'.
NAMED = re.compile(r"'(nonce|sha256|sha384|sha512)-")


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply over HTTPS; header names in lower case, cookies as `Set-Cookie` has them.

    `from_http` is where a request over HTTP for the same is sent: None when it is answered there.
    """

    url: str
    headers: Mapping[str, str]
    cookies: Sequence[str] = ()
    body: str = ""
    from_http: str | None = None


def score(reply: Reply) -> int:
    """The points of a reply: bonuses count from 90 on. At least 0; 100 and more is A+."""
    found = points(reply).values()
    penalised = BASELINE + sum(each for each in found if each < 0)
    bonus = sum(each for each in found if each > 0)
    return max(0, penalised + (bonus if penalised >= EXTRA_CREDIT_FROM else 0))


def points(reply: Reply) -> dict[str, int]:
    """What each of the ten tests adds or takes away."""
    return {name: test(reply) for name, test in TESTS.items()}


def policy_of(header: str) -> dict[str, set[str]]:
    """The sources of each directive of a policy; of a directive that stands twice, the first."""
    directives: dict[str, set[str]] = {}
    for part in header.lower().split(";"):
        name, *sources = part.split() or [""]
        if name:
            directives.setdefault(name, set(sources))
    return directives


def content_security_policy(reply: Reply) -> int:
    """From -25 without a policy to 10 for one that begins with nothing and allows no inline."""
    policy = policy_of(reply.headers.get("content-security-policy", ""))
    if not policy:
        return -25
    by_default = policy.get("default-src", {"*"})
    scripts, styles, objects = (
        policy.get(name, by_default) for name in ("script-src", "style-src", "object-src")
    )
    named = any(map(NAMED.match, scripts))
    if scripts & (INLINE - {"'unsafe-inline'"} if named else INLINE) or (scripts | objects) & BROAD:
        return -20
    if _over_http(policy, active=True):
        return -20
    if "'unsafe-eval'" in scripts | styles or _over_http(policy, active=False):
        return -10
    if styles & (INLINE | BROAD):
        return 0
    closed = by_default == {"'none'"} and policy.get("form-action", {"*"}) <= {"'self'", "'none'"}
    return 10 if closed else 5


def _over_http(policy: Mapping[str, set[str]], *, active: bool) -> bool:
    passive = {"img-src", "media-src"}
    looked_at = [sources for name, sources in policy.items() if (name not in passive) == active]
    return any(source.startswith(("http:", "ftp:")) for each in looked_at for source in each)


def cookies(reply: Reply) -> int:
    """From -40 for a session that goes over HTTP to 5 when all are as they should be."""
    read = [cookie for line in reply.cookies for cookie in SimpleCookie(line).values()]
    if not read:
        return 0
    worst = min(_cookie(cookie, under_hsts=_hsts_age(reply) >= SIX_MONTHS) for cookie in read)
    return 5 if worst == 0 and all(cookie["samesite"] for cookie in read) else worst


def _cookie(cookie: "Morsel[str]", *, under_hsts: bool) -> int:
    is_csrf = bool(ANTI_CSRF.search(cookie.key))
    is_session = bool(SESSION.search(cookie.key)) and not is_csrf
    faults = [0]
    if not cookie["secure"]:
        faults.append({(0, 0): -20, (0, 1): -5, (1, 0): -40, (1, 1): -10}[is_session, under_hsts])
    if is_session and not cookie["httponly"]:
        faults.append(-30)
    if cookie["samesite"].lower() not in {"", "lax", "strict", "none"}:
        faults.append(-20)
    if is_csrf and not cookie["samesite"]:
        faults.append(-20)
    return min(faults)


def cross_origin_sharing(reply: Reply) -> int:
    """-50 where everybody may read with credentials."""
    with_credentials = reply.headers.get("access-control-allow-credentials", "").lower() == "true"
    return -50 if with_credentials and reply.headers.get("access-control-allow-origin") else 0


def redirection(reply: Reply) -> int:
    """Whoever asks over HTTP is sent to HTTPS on the same host."""
    if reply.from_http is None:
        return -20
    there, here = urlsplit(reply.from_http), urlsplit(reply.url)
    if there.scheme != "https":
        return -20
    return 0 if there.hostname == here.hostname else -5


def referrer_policy(reply: Reply) -> int:
    """5 for a policy that tells others nothing but the host."""
    header = reply.headers.get("referrer-policy")
    if header is None:
        return 0
    known = [each for each in _values(header) if each in PRIVATE | UNSAFE]
    return 5 if known and known[-1] in PRIVATE else -5


def strict_transport_security(reply: Reply) -> int:
    """-20 without, -10 for less than half a year."""
    age = _hsts_age(reply)
    if age < 0:
        return -20
    return 0 if age >= SIX_MONTHS else -10


def _hsts_age(reply: Reply) -> int:
    header = reply.headers.get("strict-transport-security", "").lower()
    found = re.search(r'max-age="?(\d+)', header)
    return int(found[1]) if found else -1


def subresource_integrity(reply: Reply) -> int:
    """Scripts come from here, or with a digest, and never over HTTP."""
    if "html" not in reply.headers.get("content-type", ""):
        return 0
    scripts = _Scripts()
    scripts.feed(reply.body)
    here = urlsplit(reply.url)
    others = [
        (urlsplit(source, scheme=here.scheme), checked)
        for source, checked in scripts.found
        if urlsplit(source).hostname not in {None, here.hostname} or source.startswith("http:")
    ]
    if any(source.scheme != "https" for source, _ in others):
        return -20 if all(checked for _, checked in others) else -50
    if not others:
        return 0
    return 5 if all(checked for _, checked in others) else -5


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and given.get("src"):
            self.found.append((str(given["src"]), bool(given.get("integrity"))))


def content_type_options(reply: Reply) -> int:
    """-5 where browsers may guess what a file is."""
    return 0 if _values(reply.headers.get("x-content-type-options", "")) == ["nosniff"] else -5


def frame_options(reply: Reply) -> int:
    """5 where the policy says who may frame the page; -20 where nothing does."""
    if "frame-ancestors" in policy_of(reply.headers.get("content-security-policy", "")):
        return 5
    header = reply.headers.get("x-frame-options", "").strip().lower()
    return 0 if header in {"deny", "sameorigin"} else -20


def cross_origin_resource_policy(reply: Reply) -> int:
    """10 where other sites may not load it."""
    header = reply.headers.get("cross-origin-resource-policy")
    known = {None: 0, "same-origin": 10, "same-site": 10, "cross-origin": 0}
    return known.get(header.strip().lower() if header else None, -5)


def _values(header: str) -> list[str]:
    return [each.strip().lower() for each in header.split(",") if each.strip()]


TESTS: Mapping[str, Callable[[Reply], int]] = {
    "content-security-policy": content_security_policy,
    "cookies": cookies,
    "cross-origin-resource-sharing": cross_origin_sharing,
    "redirection": redirection,
    "referrer-policy": referrer_policy,
    "strict-transport-security": strict_transport_security,
    "subresource-integrity": subresource_integrity,
    "x-content-type-options": content_type_options,
    "x-frame-options": frame_options,
    "cross-origin-resource-policy": cross_origin_resource_policy,
}
