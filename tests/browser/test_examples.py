"""Examples of the labels, beside the pair that is judged."""

from playwright.sync_api import expect

from annotation.projects.protocols import PRESETS
from tests.annotation import make
from tests.browser.work_page import await_ready


def test_examples_stand_beside_the_pair_and_stay_as_the_annotator_left_them(
    at_work, page, transactional_db
):
    project = make.study(**PRESETS["graded"].settings)
    make.pairs(project, 2)
    page.set_viewport_size({"width": 1280, "height": 900})
    at_work(make.person(project), "judge")
    reason = page.get_by_text("the first only adds an example")
    expect(reason).to_be_visible()
    page.keyboard.press("e")
    expect(reason).to_be_hidden()
    page.keyboard.press("2")
    expect(page.get_by_text("1 today")).to_be_visible()
    page.reload()
    await_ready(page)
    expect(reason).to_be_hidden()
