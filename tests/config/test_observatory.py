"""The scorer itself: the best reply, and what each fault costs."""

from dataclasses import replace

import pytest

from tests.config.observatory import Reply, points, policy_of, score

POLICY = "default-src 'none'; script-src 'self'; form-action 'self'; frame-ancestors 'none'"
BEST = Reply(
    url="https://pawsmith.example/",
    headers={
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": POLICY,
        "referrer-policy": "same-origin",
        "strict-transport-security": "max-age=63072000; includeSubDomains; preload",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cross-origin-resource-policy": "same-origin",
    },
    cookies=[
        "__Host-session=a; HttpOnly; Path=/; SameSite=Lax; Secure",
        "__Host-csrf=b; Path=/; SameSite=Lax; Secure",
    ],
    body='<script src="/static/a.js"></script>',
    from_http="https://pawsmith.example/",
)


def test_the_best_reply_has_all_points_but_those_of_browsers_lists() -> None:
    assert score(BEST) == 100 + 10 + 5 + 5 + 5 + 10


@pytest.mark.parametrize(
    ("header", "value", "lost"),
    [
        ("content-security-policy", None, 25),
        ("content-security-policy", POLICY.replace("script-src 'self'", "script-src *"), 20),
        ("content-security-policy", POLICY.replace("-src 'self'", "-src 'unsafe-inline'"), 20),
        ("content-security-policy", POLICY.replace("-src 'self'", "-src data:"), 20),
        ("content-security-policy", POLICY.replace("-src 'self'", "-src http://a.example"), 20),
        ("content-security-policy", POLICY.replace("-src 'self'", "-src 'unsafe-eval'"), 10),
        ("content-security-policy", f"{POLICY}; img-src http://a.example", 10),
        ("strict-transport-security", None, 20),
        ("strict-transport-security", "max-age=60", 10),
        ("strict-transport-security", "for ever", 20),
        ("referrer-policy", "unsafe-url", 5),
        ("referrer-policy", "nonsense", 5),
        ("x-content-type-options", None, 5),
        ("cross-origin-resource-policy", "nonsense", 5),
        ("access-control-allow-origin", "https://evil.example", 0),
    ],
)
def test_a_header_that_is_missing_or_loose_costs(header: str, value: str | None, lost: int) -> None:
    others = {name: each for name, each in BEST.headers.items() if name != header}
    worse = replace(BEST, headers=others | ({header: value} if value else {}))

    assert sum(each for each in points(worse).values() if each < 0) == -lost
    assert (score(worse) < score(BEST)) == bool(lost)


def test_a_header_that_brings_a_bonus_is_missed() -> None:
    for header in ("referrer-policy", "cross-origin-resource-policy"):
        others = {name: each for name, each in BEST.headers.items() if name != header}
        assert score(replace(BEST, headers=others)) < score(BEST)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (POLICY, 10),
        (POLICY.replace("form-action 'self'", "form-action *"), 5),
        (POLICY.replace("default-src 'none'", "default-src 'self'"), 5),
        (f"{POLICY}; style-src 'unsafe-inline'", 0),
        ("img-src 'self'", -20),
    ],
)
def test_a_policy_is_better_the_less_it_allows(policy: str, expected: int) -> None:
    headers = {**BEST.headers, "content-security-policy": policy}
    assert points(replace(BEST, headers=headers))["content-security-policy"] == expected


@pytest.mark.parametrize(
    ("cookie", "expected"),
    [
        ("session=a; Path=/; SameSite=Lax; Secure", -30),
        ("session=a; Path=/; SameSite=Lax; HttpOnly", -10),
        ("language=a; SameSite=Lax", -5),
        ("language=a; Secure", 0),
        ("csrf=a; Secure", -20),
        ("csrf=a; Secure; SameSite=Sometimes", -20),
        ("csrf=a; Secure; SameSite=Strict", 5),
    ],
)
def test_the_worst_fault_of_a_cookie_counts(cookie: str, expected: int) -> None:
    assert points(replace(BEST, cookies=[cookie]))["cookies"] == expected


def test_a_session_over_http_is_worst_where_nothing_keeps_browsers_off_http() -> None:
    bare = replace(BEST, headers={}, cookies=["session=a; HttpOnly"])
    assert points(bare)["cookies"] == -40


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        (None, -20),
        ("http://pawsmith.example/home", -20),
        ("https://www.pawsmith.example/", -5),
        ("https://pawsmith.example/", 0),
    ],
)
def test_http_leads_to_https_on_the_same_host(there: str | None, expected: int) -> None:
    assert points(replace(BEST, from_http=there))["redirection"] == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('<script src="https://cdn.example/a.js"></script>', -5),
        ('<script src="https://cdn.example/a.js" integrity="sha384-a"></script>', 5),
        ('<script src="http://cdn.example/a.js"></script>', -50),
        ('<script src="//cdn.example/a.js" integrity="sha384-a"></script>', 5),
        ("<p>none</p>", 0),
    ],
)
def test_scripts_of_others_come_with_a_digest(script: str, expected: int) -> None:
    assert points(replace(BEST, body=script))["subresource-integrity"] == expected


def test_everybody_who_may_read_with_credentials_costs_fifty() -> None:
    everybody = {
        "access-control-allow-origin": "*",
        "access-control-allow-credentials": "true",
    }
    assert (
        points(replace(BEST, headers={**BEST.headers, **everybody}))[
            "cross-origin-resource-sharing"
        ]
        == -50
    )


def test_a_page_that_may_be_framed_costs_twenty() -> None:
    framed = {"content-security-policy": "default-src 'none'"}
    assert points(replace(BEST, headers=framed))["x-frame-options"] == -20
    assert (
        points(replace(BEST, headers={**framed, "x-frame-options": "DENY"}))["x-frame-options"] == 0
    )


def test_of_a_directive_that_stands_twice_the_first_counts() -> None:
    assert policy_of("img-src 'self'; IMG-SRC *;")["img-src"] == {"'self'"}


def test_there_are_no_points_below_nothing() -> None:
    bare = Reply("https://pawsmith.example/", {"content-type": "text/html"}, ["session=a"])
    assert score(bare) == 0
