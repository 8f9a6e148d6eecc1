"""Members who send bodies slowly, behind Debian's Caddy, while others judge."""

import json
import os
import shutil
import ssl
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from socket import create_connection
from statistics import quantiles

import pytest

from common.bodies import SMALL
from config import gunicorn
from config.gunicorn import PATIENCE, SLOWEST
from support.person import Door, Habits, Person
from support.services.proxy import FILE, PAUSE_SECONDS, Proxy, SlowBody, slow_senders
from support.services.sites import Web
from tests.config.installation import PUBLIC, python

pytestmark = pytest.mark.skipif(
    not Proxy.is_installed() and not os.environ.get("CI"), reason="there is no caddy"
)
PEOPLE, CALM_SECONDS, SECONDS, P95 = 10, 20, 45, 1.0
PREPARE = f"""
import json
import django
django.setup()
from accounts.models import User
from annotation.models import Role
from annotation.projects.services import projects
from support import imported_study
project = imported_study.make("Slow", pairs=400)
def managing(name):
    person = User.objects.create(username=name)
    projects.add_member(project, person, role=Role.MANAGER)
    return imported_study.session_of(person)
print(json.dumps({{
    "project": str(project.public_id),
    "people": imported_study.sign_in(project, people={PEOPLE + 1}),
    "managers": [managing("mia"), managing("max")],
}}))
"""
ANSWERS = """
import json
import django
django.setup()
from annotation.models import Judgment
rows = Judgment.objects.filter(submitted_at__isnull=False).values_list(
    "annotator__username", "item__public_id", "label"
)
print(json.dumps([[name, str(item), label] for name, item, label in rows]))
"""
SENTENCES = b"The boat crossed the lake before the storm came.\n"


@pytest.fixture
def site(migrated_sqlite, tmp_path):
    """Two web processes behind a proxy, and what PREPARE has made."""
    database = shutil.copy(migrated_sqlite, tmp_path / "pawsmith.sqlite3")
    own = {"DATABASE_URL": f"sqlite:///{database}", "PAWSMITH_DATA_DIR": str(tmp_path)}
    run(own, "manage.py", "collectstatic", "--no-input")
    web = Web(os.environ | PUBLIC | own)
    proxy = Proxy(tmp_path, web.port)
    web.environment["PAWSMITH_ADDRESS"] = own["PAWSMITH_ADDRESS"] = proxy.origin
    made = json.loads(run(own, "-c", PREPARE).splitlines()[-1])
    for server in (web, proxy):
        server.start()
    wait_until_ready(proxy)
    yield proxy, made, lambda: json.loads(run(own, "-c", ANSWERS))
    proxy.kill()
    web.kill()


def wait_until_ready(proxy):
    """Each of the two processes has imported everything once it has answered."""
    for _ in range(6):
        connection = proxy.http(timeout=120)
        connection.request("GET", "/readyz", headers={"Connection": "close"})
        assert connection.getresponse().status == 200
        connection.close()


def run(environment, *arguments):
    done = python(*arguments, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def working(proxy, made):
    """People who judge until the block ends; the list of them."""
    page, over = f"/projects/{made['project']}/judge/", threading.Event()
    people = [
        Person(Door(proxy.address, proxy), page, session, seed, Habits(pace=(0.5, 2.0)))
        for seed, session in enumerate(made["people"][:PEOPLE])
    ]
    threads = [threading.Thread(target=person.work, args=[over], daemon=True) for person in people]
    for thread in threads:
        thread.start()
    try:
        yield people
    finally:
        over.set()
        for thread, person in zip(threads, people, strict=True):
            thread.join(30)
            person.connection.close()


def head(proxy, made, *, manager, length):
    body = SlowBody(length, path=f"/projects/{made['project']}/data/upload/", session=manager)
    return body.head(proxy.origin)


def upload(proxy, made, *, manager, rate, seconds):
    """Send a file at so many bytes a second for so long; the status of the reply."""
    session = f"__Host-session={manager}"
    page = proxy.http()
    page.request("GET", f"/projects/{made['project']}/data/", headers={"Cookie": session})
    reply = page.getresponse()
    text, cookies = reply.read().decode(), reply.getheaders()
    page.close()
    token = text.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    csrf = next(value for name, value in cookies if value.startswith("__Host-csrf="))
    fields = b"".join(
        b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name, value)
        for name, value in ((b"csrfmiddlewaretoken", token.encode()), (b"kind", b"sentences"))
    )
    fields += b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    content = SENTENCES * (rate * seconds // len(SENTENCES))
    sender = proxy.http(timeout=60)
    sender.putrequest("POST", f"/projects/{made['project']}/data/upload/")
    for name, value in (
        ("Origin", proxy.origin),
        ("Cookie", f"{session}; {csrf.partition(';')[0]}"),
        ("Content-Type", "multipart/form-data; boundary=x"),
        ("Content-Length", str(len(fields) + len(content) + len(b"\r\n--x--\r\n"))),
    ):
        sender.putheader(name, value)
    sender.endheaders(fields)
    for start in range(0, len(content), rate):
        sender.send(content[start : start + rate])
        time.sleep(1)
    sender.send(b"\r\n--x--\r\n")
    with closing(sender):
        return sender.getresponse().status


def test_slow_bodies_of_members_do_not_delay_people_who_judge(site):
    proxy, made, answers = site
    mia, max_ = made["managers"]
    judge, files = (f"/projects/{made['project']}/{page}/" for page in ("judge", "data/upload"))
    slow = [
        *[SlowBody(300_000, at_once=110_000, path=judge, session=made["people"][-1])] * 60,
        *[SlowBody(900_000_000, at_once=110_000, path=files, session=mia)] * 40,
        *[SlowBody(3_000_000, at_once=110_000, path=files, session=made["people"][-1])] * 40,
        *[SlowBody(5_000)] * 250,
        *[SlowBody(SMALL * 200, at_once=150_000)] * 50,
    ]
    with working(proxy, made) as people:
        time.sleep(CALM_SECONDS)
    report("before", people)
    with slow_senders(proxy, slow), ThreadPoolExecutor(1) as other, working(proxy, made) as people:
        # Three times the slowest rate, and for longer than PATIENCE.
        kept = other.submit(
            upload, proxy, made, manager=max_, rate=3 * SLOWEST, seconds=int(PATIENCE) + 10
        )
        time.sleep(SECONDS)
        assert kept.result(60) == 302
    p95, statuses = report("meanwhile", people)
    assert p95 < P95
    assert set(statuses) == {200}
    stored = {(name, item): label for name, item, label in answers()}
    for number, person in enumerate(people):
        assert person.ledger
        for item, label in person.ledger.items():
            assert stored[f"Slow-{number}", item] == label


def report(when, people):
    """Print and return the time within which 95 % of the answers were stored, and the statuses."""
    seconds = [each for person in people for each in person.seconds]
    statuses = sum((person.statuses for person in people), start=Counter())
    p95 = quantiles(seconds, n=20)[-1]
    print(f"{when}: {len(seconds)} answers, p95 {p95:.3f} s, {dict(statuses)}")
    return p95, statuses


def test_a_file_that_is_sent_too_slowly_is_refused_with_408(site):
    proxy, made, _ = site
    with proxy.connect(timeout=3 * PATIENCE) as connection:
        connection.sendall(head(proxy, made, manager=made["managers"][0], length=10 * SMALL))
        connection.sendall(FILE + b"x" * (SMALL + SLOWEST))
        began = time.monotonic()
        connection.settimeout(PAUSE_SECONDS)
        while (reply := trickled(connection)) is None:
            assert time.monotonic() - began < 2 * PATIENCE
    assert reply.startswith(b"HTTP/1.1 408")
    assert time.monotonic() - began > PATIENCE / 2


def test_without_a_proxy_small_bodies_must_keep_the_rate_too(site):
    proxy, _, _ = site
    head = SlowBody(5_000).head(proxy.origin)
    head = head.replace(b"\r\n\r\n", b"\r\nX-Forwarded-Proto: https\r\n\r\n")
    head = head.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
    with ExitStack() as stack:
        address = "127.0.0.1", proxy.web_port
        senders = [stack.enter_context(create_connection(address)) for _ in range(gunicorn.threads)]
        for sender in senders:
            sender.sendall(head + FILE)
            sender.settimeout(0.1)
        began, replies = time.monotonic(), dict[int, bytes]()
        while len(replies) < len(senders):
            time.sleep(PAUSE_SECONDS)
            assert time.monotonic() - began < 3 * PATIENCE
            for number in {*range(len(senders))} - {*replies}:
                if reply := trickled(senders[number]):
                    replies[number] = reply
    assert {reply[:12] for reply in replies.values()} == {b"HTTP/1.1 408"}


def trickled(connection):
    """Send a byte; what has come back, or None."""
    connection.sendall(b"x")
    try:
        return connection.recv(100)
    except (TimeoutError, ssl.SSLWantReadError):
        return None
