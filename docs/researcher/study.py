"""Runs a whole study over REST, with simulated people. It needs Python 3.11 and no package.

    TOKEN=... python study.py https://pawsmith.example.org

The token has the scope `manage`, and its owner may create projects. Real people join by the link
that is printed; a program answers for simulated people only.
"""

import hashlib
import io
import json
import os
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from secrets import token_hex
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
PEOPLE, ACCURACY = 3, 0.9
MOST_SECONDS = 600  # that a worker is waited for
# Each line: two sentences, and 1 if they mean the same.
PAIRS = [
    ("The nurse thanked the pilot.", "The pilot thanked the nurse.", 0),
    ("At noon the shop closes.", "The shop closes at noon.", 1),
    ("From Graz the train runs to Linz.", "From Linz the train runs to Graz.", 0),
    ("Slowly the old gate opened.", "The old gate opened slowly.", 1),
    ("Red wine costs more than white wine.", "White wine costs more than red wine.", 0),
    ("In May the river rose.", "The river rose in May.", 1),
    ("The dog that barked was small.", "The small dog was that barked.", 0),
    ("On Sunday we walked home.", "We walked home on Sunday.", 1),
]
GOLD = ("The hare beat the fox.", "The fox beat the hare.", 0)
LABELS = {frozenset(pair[:2]): pair[2] for pair in [*PAIRS, GOLD]}


def call(method: str, path: str, values: Any = None, read: Callable[..., Any] = json.load) -> Any:
    """Send a request and return what it answers; end with the reason of an error."""
    body = None if values is None else json.dumps(values).encode()
    headers = {"Authorization": f"Token {os.environ['TOKEN']}", "Content-Type": "application/json"}
    address = f"{SERVER}/api/{path}"
    try:
        with urlopen(Request(address, body, headers, method=method)) as reply:
            return read(reply)
    except HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")


def wait(what: str, path: str, is_ready: Callable[[Any], bool]) -> Any:
    """Ask for `path` until a worker has done its part; end if that takes too long."""
    row = None
    for _ in range(MOST_SECONDS):
        if is_ready(row := call("GET", path)):
            return row
        sleep(1)
    sys.exit(f"Waited {MOST_SECONDS} seconds for {what}. Is a worker running? Now: {row}")


def judge(project: str, number: int) -> None:
    """Let a simulated person judge until nothing is left for them."""
    random = Random(number)
    path = f"{project}simulated/{number}/judge/"
    answer: dict[str, Any] = {}
    while item := call("POST", path, answer)["item"]:
        label = LABELS[frozenset(item["sentences"])]
        is_right = random.random() < ACCURACY
        answer = {"item": item["id"], "label": label if is_right else 1 - label, "seconds": 5}


def main() -> None:
    name = f"Study {token_hex(4)}"  # a new project and corpus in each run
    votes = {"judgments_per_pair": PEOPLE, "consensus_min_votes": 2, "gold_every": 5}
    created = call("POST", "projects/", {"name": name, "preset": "judging", **votes})
    project = f"projects/{created['id']}/"
    gold = dict(zip(("sentence1", "sentence2", "label"), GOLD, strict=True))
    call("POST", f"{project}gold-pairs/", {"pairs": [gold]})
    invitation = call("POST", f"{project}invitations/", {"kinds": ["judge"], "most_people": 5})
    print("Real people join at", invitation["link"])

    corpus = {"project": created["id"], "name": name, "language": "en", "licence": "CC0-1.0"}
    call("POST", "corpora/", corpus)
    rows = [
        {"pair_id": str(number), "sentence1": one, "sentence2": other}
        for number, (one, other, _) in enumerate(PAIRS, 1)
    ]
    print(call("POST", f"{project}pairs/", {"corpus": name, "pairs": rows}))
    what = f"{len(PAIRS)} pairs in the project"
    wait(what, project, lambda row: row["progress"]["pairs"] == len(PAIRS))

    for number in range(1, PEOPLE + 1):
        judge(project, number)
    [broken] = call("GET", f"{project}pairs/?own_id=7")["results"]
    why = {"reason": "broken", "note": "No sentence."}
    call("POST", f"{project}pairs/exclude/", {"pairs": [broken["id"]], **why})
    print(call("GET", project)["progress"])
    print(call("GET", f"{project}agreement/")["overall"]["before_filter"]["fleiss_kappa"])
    call("POST", f"{project}close/")

    draft = {"version": "1.0", "settings": {"dev": 0, "test": 2}}
    release = f"releases/{call('POST', f'{project}releases/', draft)['id']}/"
    row = wait(
        "the preview of the release",
        release,
        lambda row: row["preview"]["state"] not in ("waiting", "under_way"),
    )
    if row["preview"]["state"] != "made":
        sys.exit(row["preview"]["failure"])
    for part in row["preview"]["content"]["parts"]:
        print(part["subset"], part["split"], part["pairs"])
    call("POST", f"{release}build/")
    row = wait("the release", release, lambda row: row["state"] not in ("queued", "building"))
    if row["state"] != "frozen":
        sys.exit(row["failure"])

    archive = call("GET", f"{release}archive/", read=lambda reply: reply.read())
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(".", filter="data")
        folder = Path(files.getnames()[0]).parts[0]
    for file in row["files"]:
        content = Path(folder, file["path"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"], file["path"]
    print(f"{folder} has {len(row['files'])} files, as published")


if __name__ == "__main__":
    main()
