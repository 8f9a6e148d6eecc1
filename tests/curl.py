"""As much of curl as the documents use, for machines that have none: `python tests/curl.py URL`."""

import argparse
import shutil
import sys
import urllib.error
import urllib.request
from pathlib import Path

REFUSED = 22  # curl's own


def main() -> int:
    asked = arguments()
    target = Path(asked.output) if asked.output else None
    there = target.stat().st_size if target and asked.resume and target.exists() else 0
    try:
        with urllib.request.urlopen(request(asked, there)) as reply:
            goes_on = there and reply.status == 206
            save(reply, target, "ab" if goes_on else "wb", make_folders=asked.folders)
    except urllib.error.HTTPError as error:
        if error.code == 416 and there:  # all of it is there
            return 0
        if asked.fail:
            print(f"curl: the server answers {error.code}", file=sys.stderr)
            return REFUSED
        save(error, target, "wb", make_folders=asked.folders)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="curl")
    parser.add_argument("-H", dest="headers", action="append", default=[])
    parser.add_argument("-X", dest="method")
    parser.add_argument("-d", dest="body")
    parser.add_argument("-o", dest="output")
    parser.add_argument("-C", dest="resume", choices=["-"])
    parser.add_argument("--create-dirs", dest="folders", action="store_true")
    parser.add_argument("--fail", action="store_true")
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--show-error", action="store_true")
    parser.add_argument("address")
    return parser.parse_args()


def request(asked: argparse.Namespace, there: int) -> urllib.request.Request:
    headers = dict(header.split(": ", 1) for header in asked.headers)
    part = {"Range": f"bytes={there}-"} if there else {}
    body = asked.body.encode() if asked.body else None
    return urllib.request.Request(asked.address, body, headers | part, method=asked.method)


def save(reply, target: Path | None, mode: str, *, make_folders: bool) -> None:
    if target is None:
        shutil.copyfileobj(reply, sys.stdout.buffer)
        return
    if make_folders:
        target.parent.mkdir(parents=True, exist_ok=True)
    with target.open(mode) as file:
        shutil.copyfileobj(reply, file)


if __name__ == "__main__":
    sys.exit(main())
