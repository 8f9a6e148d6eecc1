"""Every page fits every screen, in German, whose words are longer; the widest ones in English too.

No box is wider than its parent, unless it scrolls and says so; nothing that can be pressed is off
the screen; boxes side by side are aligned. tests/thorough/pages checks every state of every page,
in both languages.
"""

import pytest

from tests.browser.every_page import FIRST_STATES, STATES
from tests.browser.page_check import misfits

AS_FOUND_FIRST = [
    state.name for state in FIRST_STATES.values() if not state.given and not state.then
]
TRANSLATING = [
    *(f"work/{kind}: annotator + translating" for kind in ("translate", "validate")),
    "work/validate: annotator + translating -> f",
    "glossary: manager + translating",
]
WIDEST = [
    *(f"{page}: manager" for page in ("overview", "people", "person", "import", "new_run")),
    *("draft_release: manager", "project_settings: manager", "work/judge: annotator"),
]
# By the state of the study.
PAGES = {
    "draft_import": {"de": AS_FOUND_FIRST, "en": WIDEST},
    "translating": {"de": TRANSLATING, "en": TRANSLATING},
}
# What the check finds, by what it says.
FAULTS = {
    "20 px beyond": "<div style='width: 80px'><p style='width: 100px'>x</p></div>",
    "px of text beyond": "<p style='width: 20px'>Donaudampfschifffahrt</p>",
    "120 px in 80": "<div style='width: 80px; overflow: hidden'><p style='width: 120px'>x</p>",
    "3000 px in": "<div style='overflow: auto' tabindex=0><p style='width: 3000px'>x</p></div>",
    "off the screen": "<button style='position: absolute; right: -90px'>Undo</button>",
    "uneven": """<div style='display: flex; align-items: end'>
        <p><label for=a>One</label> <input id=a></p>
        <p><label for=b>Two</label><br>Help <input id=b></p></div>""",
}
MENDED = """<div class=scroll style='overflow: auto; background: local linear-gradient(red, red)'
    tabindex=0><p style='width: 800px'>x</p></div><p style='margin: 0 -8px'>x</p>"""


@pytest.mark.parametrize("study_state", PAGES)
def test_no_box_leaves_its_parent(page, complete, base_url, study_state):
    complete.prepare(study_state)
    complete.prepare("lengthen")
    faults = {}
    for language, names in PAGES[study_state].items():
        for name in names:
            STATES[name].open(page, complete, base_url, language)
            faults[language, name] = misfits(page)
            page.context.clear_cookies()
    assert {name: of_page for name, of_page in faults.items() if of_page} == {}


@pytest.mark.parametrize(("says", "planted"), FAULTS.items())
def test_control_planted_faults_are_found(new_page, says, planted):
    page = new_page()
    page.set_content(planted)
    assert any(says in fault for fault in misfits(page))


def test_control_a_box_that_says_that_it_scrolls_is_no_fault_on_small_screens(new_page):
    page = new_page()
    page.set_content(MENDED)
    assert misfits(page) == []
