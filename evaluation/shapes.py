"""The rules of the experiment `shape` and its verdicts, for those that show them."""

from collections.abc import Mapping

from common.marked import gettext_noop as _

KIND, SIDE, TREE = "kind", "side", "tree"
RULES: Mapping[str, str] = {
    "rotation": _("sentence 2 is a rotation of the words of sentence 1"),
    "first_word": _("the first words differ"),
    "last_word": _("the last words differ"),
    "places": _("number of places with another word"),
    "first_change": _("where the first change is"),
    "moved": _("share of words moved or replaced"),
    "length": _("number of words"),
    KIND: _("kind of change"),
    SIDE: _("which sentence is the source"),
    TREE: _("small tree of all rules"),
}
READABLE, UNCLEAR, UNREADABLE = "readable", "unclear", "unreadable"
