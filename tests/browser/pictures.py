"""The pictures of the documents: pages of the demonstration, and how they are taken.

    python -m tests.browser.pictures http://127.0.0.1:8000

takes them all, and films judging, while `scripts/run` serves a demonstration at that address.
"""

import os
import sys
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import django
from django.apps import apps
from django.contrib.auth import get_user_model
from django.urls import get_resolver, reverse
from PIL import Image
from playwright.sync_api import sync_playwright

from common.demonstration import FINISHED_STUDY, GRADED_STUDY, OPEN_STUDY, TRANSLATED_STUDY
from tests.browser.chromium import chromium
from tests.browser.work_page import await_ready, press, sign_in

FOLDER = Path(__file__).parent.parent.parent / "docs" / "pictures"
WIDTH, HEIGHT, MOST_BYTES = 1280, 800, 150_000
MOST_BYTES_OF_FILM = 2_000_000
COLOURS = 128
FILM = "judging.gif"
# The judge of the film highlights differences, then gives these answers.
ANSWERS, MILLISECONDS = "1212", 1600


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
        sign_in(page, administrator, server)
        for name, picture in PICTURES.items():
            page.goto(server + address_of(picture, projects.get(name=picture.study)))
            page.wait_for_load_state("networkidle")
            screenshot(page).save(FOLDER / f"{name}.png", optimize=True)
        page.goto(server + address_of(PICTURES["judge"], projects.get(name=OPEN_STUDY)))
        await_ready(page)
        film(page)


def film(page):
    """Judge some pairs by keyboard, and save what the page shows before each key."""
    images = [screenshot(page)]
    page.keyboard.press("d")
    for answer in ANSWERS:
        images.append(screenshot(page))
        press(page, answer)
    shown = {"duration": MILLISECONDS, "loop": 0}
    images[0].save(FOLDER / FILM, save_all=True, append_images=images[1:], **shown)


def screenshot(page):
    image = Image.open(BytesIO(page.screenshot(animations="disabled")))
    return image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    django.setup()
    take_all(sys.argv[1].rstrip("/"))
