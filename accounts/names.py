"""User names that cannot be taken for others: Unicode UTS 39, section 5.2, "highly restrictive"."""

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

# Scripts that are written together, in East Asia also with Latin letters.
WRITTEN_TOGETHER = {"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}


def normalize(name: str) -> str:
    """Return the one form of all spellings of a name that look the same (NFKC)."""
    return unicodedata.normalize("NFKC", name)


def check(name: str) -> None:
    """Raises ValidationError for invisible letters, and for letters of several scripts."""
    names = [unicodedata.name(letter, "") for letter in name if _is_letter(letter)]
    scripts = {spelled.partition(" ")[0] for spelled in names}
    if any("FILLER" in spelled for spelled in names):
        raise ValidationError(_("This user name contains an invisible character. Remove it."))
    if len(scripts) > 1 and not scripts <= WRITTEN_TOGETHER:
        raise ValidationError(
            _("Use letters from one alphabet only, so that the name can’t be mistaken for another.")
        )


def _is_letter(character: str) -> bool:
    """Whether it is a letter of a script; modifier letters are used in several."""
    category = unicodedata.category(character)
    return category.startswith("L") and category != "Lm"
