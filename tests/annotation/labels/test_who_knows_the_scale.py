"""Which modules ask for parts of a label scheme; all others ask what follows from them."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
ROOMS = ("annotation", "common", "evaluation", "generation", "operations", "releases", "templates")
PARTS = {"border", "border_place", "labels", "level"}
SCHEMES = re.compile(r"(scheme|shipped|ours|theirs|GRADES|SAME_OR_DIFFERENT)$", re.IGNORECASE)
IN_TEMPLATES = re.compile(r"\bscheme\.(border|labels|level)\b|%\(border\)s")
# The names of a scale before schemes. That of published sets is a role of a column there.
OLD_NAMES = ("annotators_per_pair", "max_label", "min_votes")
KNOWING = {
    "annotation/projects/forms/scheme.py": "people enter the parts",
    "annotation/projects/labels.py": "names for pages, sides in SQL",
    "annotation/stats/agreement.py": "the headline measure is that of the level",
    "annotation/stats/labels.py": "the scheme itself",
    "annotation/stats/paws_tables.py": "a table has a row for each label",
    "annotation/work/judge_postgres.py": "the border is a parameter of the statement",
    "annotation/work/judge_turn.sql": "the statement counts by side",
    "annotation/work/simulation.py": "simulated people have truths by side",
    "releases/dataset/agreement.py": "as annotation/stats/agreement.py, from files",
    "releases/dataset/card.py": "the card states the border",
    "releases/dataset/methods_judging.py": "the methods state level and border",
    "releases/dataset/paper_tables.py": "the headline measure is that of the level",
    "releases/dataset/settings.py": "manifests of earlier versions have a border",
    "releases/selectors/relabelled.py": "grades of two studies are compared if they are the same",
    "releases/selectors/releases.py": "a published set has grades and a border",
    "templates/annotation/setup/parts/protocol.html": "the form says what the border does",
    "templates/releases/parts/methods.html": "a page of a release states the border",
}


def _asks(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return bool(IN_TEMPLATES.search(text))
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in PARTS
        and SCHEMES.search(ast.unparse(node.value))
        for node in ast.walk(ast.parse(text))
    )


def _files():
    for room in ROOMS:
        for path in (ROOT / room).rglob("*"):
            if path.suffix in {".html", ".py", ".sql"} and "migrations" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path


def test_few_modules_ask_for_parts_of_a_scheme():
    assert {name for name, path in _files() if _asks(path)} == {*KNOWING}
    assert len(KNOWING) <= 17


def test_old_names_of_a_scale_are_those_of_files():
    named = {
        word: {name for name, path in _files() if re.search(rf"\b{word}\b", path.read_text())}
        for word in OLD_NAMES
    }
    assert named == {
        "annotators_per_pair": {"releases/dataset/settings.py"},
        "max_label": {
            "releases/dataset/published/reading.py",
            "releases/dataset/published/settings.py",
            "releases/dataset/settings.py",
            "releases/selectors/releases.py",
        },
        "min_votes": set(),
    }
