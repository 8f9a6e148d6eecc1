"""Keys of the work pages: what each does, its usual key, and those that a person has changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User

JUDGE, CORRECT, TRANSLATE, VALIDATE = "judge", "correct", "translate", "validate"
EVERY = frozenset({JUDGE, CORRECT, TRANSLATE, VALIDATE})
LOOKS = frozenset({CORRECT, VALIDATE})
IN_TWO_LANGUAGES = frozenset({TRANSLATE, VALIDATE})
# Keys of labels.
DIGITS = "0123456789"
NOT_USABLE = gettext_lazy("Use a letter from A to Z, a digit or a punctuation mark.")
TAKEN = gettext_lazy("“%(key)s” is already the key for “%(action)s”. Choose another one.")


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a key does on the work pages of these kinds."""

    name: str
    label: str | Promise
    key: str
    pages: frozenset[str] = EVERY


ACTIONS = (
    Action("same", gettext_lazy("First answer"), "1", frozenset({JUDGE})),
    Action("different", gettext_lazy("Second answer"), "2", frozenset({JUDGE})),
    Action("highlight", gettext_lazy("Highlight differences"), "d", frozenset({JUDGE})),
    Action("examples", gettext_lazy("Show or hide the examples"), "e", frozenset({JUDGE})),
    Action("reason", gettext_lazy("Say why"), "r", frozenset({JUDGE})),
    Action("words", gettext_lazy("Mark the words that decide it"), "m", frozenset({JUDGE})),
    Action("accept", gettext_lazy("Accept the sentence as it is"), "a", LOOKS),
    Action("fix", gettext_lazy("Fix it: edit the sentence"), "f", LOOKS),
    Action("reject", gettext_lazy("Reject it: it can’t be fixed"), "x", LOOKS),
    Action("write", gettext_lazy("Go to the field and write"), "w", frozenset({TRANSLATE})),
    Action("give_up", gettext_lazy("It can’t be translated"), "x", frozenset({TRANSLATE})),
    Action("earlier", gettext_lazy("Your earlier translations"), "e", frozenset({TRANSLATE})),
    Action("term", gettext_lazy("Propose a term for the list"), "t", IN_TWO_LANGUAGES),
    Action("skip", gettext_lazy("Skip it, and say why"), "s"),
    Action("undo", gettext_lazy("Undo the last answer or skip"), "u"),
    Action("recent", gettext_lazy("Your last answers"), "l"),
    Action("guidelines", gettext_lazy("Guidelines"), "h"),
    Action("help", gettext_lazy("List of shortcuts"), "?"),
)
USUAL = {action.name: action.key for action in ACTIONS}


def keys_of(user: User) -> Mapping[str, str]:
    """Return the key of each action for this person."""
    return {**USUAL, **user.shortcuts}


class ShortcutsForm(forms.Form):
    """The key of each action; an empty field means the default key."""

    def __init__(self, *args: object, keys: Mapping[str, str], **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.label_suffix = ""
        for action in ACTIONS:
            attributes = {"size": 2, "autocomplete": "off", "autocapitalize": "none"}
            self.fields[action.name] = forms.CharField(
                label=str(action.label),
                max_length=1,
                required=False,
                initial=keys[action.name],
                widget=forms.TextInput(attrs=attributes | {"spellcheck": "false"}),
            )

    def groups(self) -> list[tuple[str | Promise, list[forms.BoundField]]]:
        """Return the fields by the page on which they apply."""
        names: list[tuple[str | Promise, frozenset[str]]] = [
            (gettext_lazy("Judging"), frozenset({JUDGE})),
            (gettext_lazy("Correcting and validating"), LOOKS),
            (gettext_lazy("Translating"), frozenset({TRANSLATE})),
            (gettext_lazy("Translating and validating"), IN_TWO_LANGUAGES),
            (gettext_lazy("All work"), EVERY),
        ]
        return [
            (name, [self[action.name] for action in ACTIONS if action.pages == pages])
            for name, pages in names
        ]

    def clean(self) -> dict[str, str]:
        """Return the keys in lower case; add an error to each that is unusable or used twice."""
        keys = {
            action.name: self.cleaned_data.get(action.name, "").lower() or action.key
            for action in ACTIONS
        }
        for action in ACTIONS:
            for error in _unusable(action, keys[action.name]):
                self.add_error(action.name, error)
        for first, second in combinations(ACTIONS, 2):
            if first.pages & second.pages and keys[first.name] == keys[second.name]:
                values = {"key": keys[first.name], "action": first.label}
                self.add_error(second.name, TAKEN % values)
        return keys


def action_of(key: str, page: str) -> Action | None:
    """Return what a key usually does on the pages of a kind of work; None for keys of labels."""
    others = (action for action in ACTIONS if page in action.pages and action.key not in DIGITS)
    return next((action for action in others if action.key == key), None)


def keys_in_use(page: str, keys: Mapping[str, str]) -> set[str]:
    """Return the keys of all actions on the pages of a kind of work: usual ones and a person's."""
    actions = [action for action in ACTIONS if page in action.pages]
    return {key for action in actions for key in (action.key, keys.get(action.name, action.key))}


def changed_keys(keys: Mapping[str, str]) -> dict[str, str]:
    """Return the keys that differ from the usual ones: what an account stores."""
    return {name: key for name, key in keys.items() if USUAL[name] != key}


def is_usable(key: str) -> bool:
    return key.isascii() and key.isprintable() and key != " "


def _unusable(action: Action, key: str) -> Iterator[str]:
    """Yield why a key cannot be used, if it cannot."""
    if not is_usable(key):
        yield str(NOT_USABLE)
    elif key in DIGITS and action.name not in ("same", "different"):
        yield _("Digits are the keys of the labels. Choose a letter or a punctuation mark.")
