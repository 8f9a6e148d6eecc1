"""Which modules know of one kind of work; all others ask `Kind` what differs.

Modules whose subject is judging (agreement, consensus, gold pairs, pairs and their releases) read
the rows of that kind: they may name it as an argument, such as `kind=Judgment.KIND`. What counts
here is code that does one thing for a kind and another for the rest.
"""

import ast
from pathlib import Path

from annotation.work.kinds import KINDS

ROOT = Path(__file__).parents[3]
ROOMS = ("accounts", "annotation", "common", "evaluation", "generation", "operations", "releases")
# The kinds themselves, and the types of study. Tables have constraints for each kind, and
# migrations are what tables were. Optional packages are called translate, too.
AT_HOME = (
    *("annotation/models/", "annotation/studies/", "annotation/translations/"),
    *("annotation/work/correct.py", "annotation/work/judge", "generation/methods/"),
)
KNOWN = {
    "annotation/access/rooms.py": "pages about pairs, and about translations",
    "annotation/model_judgments/tasks.py": "a model reads the guidelines of judging",
    "annotation/people/selectors/workforce.py": "partners of sentences are kept apart",
    "annotation/people/views/people.py": "columns of agreement",
    "annotation/people/views/person.py": "what others say of a judge's pairs",
    "annotation/people/words.py": "a verb for each kind of work",
    "annotation/projects/additions.py": "only studies that judge take pairs",
    "annotation/projects/views/plan.py": "only studies that judge are planned",
    "annotation/projects/selectors/glance.py": "pairs are counted by their results",
    "annotation/projects/services/projects.py": "settings of judging",
    "annotation/projects/settings.py": "settings of judging",
    "annotation/quality/views/interventions.py": "what linking two translators means",
    "annotation/runs/selectors/comparison.py": "corrections before pairs",
    "annotation/runs/services.py": "runs that translate, or make pairs",
    "annotation/runs/views/runs.py": "runs that translate, or make pairs",
    "annotation/projects/rail.py": "the pages of a translation",
    "annotation/work/shortcuts.py": "the keys of each work page",
    "releases/dataset/facts.py": "facts count people by kind of work",
    "releases/selectors/releases.py": "a translation has the licence of its source",
    "releases/selectors/report_tables.py": "the reports of judging, and of a translation",
}


def _names_a_kind(node: ast.AST) -> bool:
    """Return whether code has the name of a kind, compares with one, or asks for one."""
    if isinstance(node, ast.Constant):
        return node.value in KINDS
    if isinstance(node, ast.Compare):
        return ".KIND" in ast.unparse(node)
    if isinstance(node, ast.Attribute) and node.attr in ("judges", "translates"):
        return ast.unparse(node.value).endswith(("project", "instance"))
    return False


def test_few_modules_know_of_one_kind_of_work():
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    names = {path.relative_to(ROOT).as_posix(): path for path in paths}
    knowing = {
        name
        for name, path in names.items()
        if not name.startswith(AT_HOME)
        and "/migrations/" not in name
        and any(map(_names_a_kind, ast.walk(ast.parse(path.read_text()))))
    }
    assert knowing == {*KNOWN}
    assert len(KNOWN) <= 20
