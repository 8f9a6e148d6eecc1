"""The pictures of the documents: pages of the demonstration, and how they are taken.

    python -m tests.browser.pictures http://127.0.0.1:8000

takes them all, while `scripts/run` serves a demonstration at that address.
"""

import base64
import os
import struct
import sys
import zlib
from pathlib import Path
from typing import NamedTuple

import django
import numpy as np
from django.apps import apps
from django.contrib.auth import get_user_model
from django.urls import get_resolver, reverse
from playwright.sync_api import sync_playwright

from common.demonstration import FINISHED_STUDY, GRADED_STUDY, OPEN_STUDY, TRANSLATED_STUDY
from tests.browser.chromium import chromium
from tests.browser.work_page import sign_in

FOLDER = Path(__file__).parent.parent.parent / "docs" / "pictures"
WIDTH, HEIGHT, MOST_BYTES = 1280, 800, 150_000
# The values of a picture, four for each point.
PIXELS = """async picture => {
  const loaded = await fetch(`data:image/png;base64,${picture}`);
  const image = await createImageBitmap(await loaded.blob());
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  return canvas.getImageData(0, 0, image.width, image.height).data;
}"""


class Picture(NamedTuple):
    """A page of a study of the demonstration, by its route."""

    route: str
    study: str = FINISHED_STUDY
    kind: str = ""


PICTURES = {
    "agreement": Picture("agreement"),
    "correct": Picture("work", OPEN_STUDY, "correct"),
    "grade": Picture("work", GRADED_STUDY, "judge"),
    "home": Picture("home"),
    "installation": Picture("installation"),
    "judge": Picture("work", OPEN_STUDY, "judge"),
    "new-run": Picture("new_run"),
    "overview": Picture("overview"),
    "pairs": Picture("pairs"),
    "people": Picture("people"),
    "person": Picture("person"),
    "release": Picture("release"),
    "run": Picture("run"),
    "translate": Picture("work", TRANSLATED_STUDY, "translate"),
}


def address_of(picture, project):
    """The page in a project, about the first person, run or release that it has."""
    [(_, parameters)] = get_resolver().reverse_dict.getlist(picture.route)[0][0][:1]
    people = project.memberships.filter(role="annotator")
    about = {
        "project_id": lambda: project.public_id,
        "kind": lambda: picture.kind,
        "user_id": lambda: people.earliest("pk").user.public_id,
        "run_id": lambda: project.runs.earliest("pk").public_id,
        "public_id": lambda: project.releases.earliest("pk").public_id,
        "release_id": lambda: project.releases.earliest("pk").public_id,
    }
    return reverse(picture.route, kwargs={name: about[name]() for name in parameters})


def take_all(server):
    """Take every picture as the first administrator sees it."""
    administrator = get_user_model().objects.filter(is_superuser=True).earliest("pk")
    projects = apps.get_model("annotation.Project").objects
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        size = {"width": WIDTH, "height": HEIGHT}
        page = browser.new_context(viewport=size, color_scheme="light", locale="en").new_page()
        reader = browser.new_page()
        sign_in(page, administrator, server)
        for name, picture in PICTURES.items():
            page.goto(server + address_of(picture, projects.get(name=picture.study)))
            page.wait_for_load_state("networkidle")
            shot = base64.b64encode(page.screenshot(animations="disabled")).decode()
            pixels = np.frombuffer(bytes(reader.evaluate(PIXELS, shot)), np.uint8)
            content = with_palette(pixels.reshape(HEIGHT, WIDTH, 4))
            (FOLDER / f"{name}.png").write_bytes(content)
            print(f"{name}: {len(content):,} bytes")


def with_palette(pixels):
    """A PNG of at most 256 colours, of which each is the most frequent one of those like it."""
    packed = pixels[..., :3].astype(int) @ (1 << 16, 1 << 8, 1)
    colours, places, counts = np.unique(packed.ravel(), return_inverse=True, return_counts=True)
    by_count = np.argsort(-counts)
    masks = (0x010101 * (0xFF << bits & 0xFF) for bits in range(8))
    for mask in masks:
        bins, first, belongs = np.unique(
            colours[by_count] & mask, return_index=True, return_inverse=True
        )
        if len(bins) <= 256:
            break
    bin_of_colour = np.empty(len(colours), np.uint8)
    bin_of_colour[by_count] = belongs
    rows = bin_of_colour[places].reshape(packed.shape)
    palette = b"".join(int(colour).to_bytes(3) for colour in colours[by_count][first])
    lines = np.pad(rows, ((0, 0), (1, 0)))  # each begins with the number of its filter: none
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(lines.tobytes(), 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in (*parts, (b"IEND", b"")))


def _chunk(kind, content):
    check = zlib.crc32(kind + content).to_bytes(4)
    return len(content).to_bytes(4) + kind + content + check


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    django.setup()
    take_all(sys.argv[1].rstrip("/"))
