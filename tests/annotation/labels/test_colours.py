"""The colours of labels: a bar of each stands out from its button in light and in dark."""

import re

import pytest

from annotation.work.judge import COLOURS
from support.places import ROOT

STYLE = (ROOT / "static" / "pawsmith" / "style.css").read_text()
VARIABLES = dict(re.findall(r"--(\w+): (light-dark\(.+?\));", STYLE))
BARS = dict(re.findall(r"\.bar-(\w+) { border-inline-start: \S+ solid (.+?); }", STYLE))
# WCAG 2.2, 1.4.3 and 1.4.11: of text, and of marks, with what is around them.
TEXT, MARK = 4.5, 3


def luminance(value, theme):
    """Of a colour as the style sheet has it; `theme` is 0 for light, 1 for dark."""
    if variable := re.fullmatch(r"var\(--(\w+)\)", value):
        value = VARIABLES[variable[1]]
    number = re.findall("#([0-9a-f]{6})", value)[theme]
    shares = [int(number[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return sum(part * share for part, share in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other, theme):
    low, high = sorted((luminance(one, theme), luminance(other, theme)))
    return (high + 0.05) / (low + 0.05)


def test_every_colour_that_can_be_chosen_has_a_bar():
    assert BARS.keys() == {name for name in COLOURS if name}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("colour", BARS)
def test_a_bar_stands_out_from_its_button_and_the_page(colour, theme):
    assert contrast(BARS[colour], "var(--sheet)", theme) >= MARK
    assert contrast(BARS[colour], "var(--paper)", theme) >= MARK


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_words_on_buttons_can_be_read(theme):
    assert contrast("var(--ink)", "var(--sheet)", theme) >= TEXT
    assert contrast("var(--soft)", "var(--sheet)", theme) >= TEXT
