"""Languages by their tags (BCP 47): the direction in which they are written, and their names."""

import re

from django.utils.functional import Promise
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

# A language, perhaps with script, region, variants and private parts: de, zh-Hant, pt-BR, sl-rozaj.
TAG = re.compile(
    r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?"
    r"(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(-x(-[A-Za-z0-9]{1,8})+)?"
)
# Written from right to left, by language and by script.
_CODES = "ar arc ckb dv fa he ks mzn nqo pnb prs ps sd syr ug ur yi"
RIGHT_TO_LEFT = frozenset(_CODES.split())
RIGHT_TO_LEFT_SCRIPTS = frozenset({"adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"})
# Tags of PAWS-X that Django names only with a script.
NAMES: dict[str, str | Promise] = {"zh": _("Chinese")}


def direction(tag: str) -> str:
    """Return "rtl" or "ltr", as the attribute `dir` has it; a script in the tag decides.

    >>> direction("ar-EG"), direction("az-Arab"), direction("ku-Latn"), direction("ur-Latn")
    ('rtl', 'rtl', 'ltr', 'ltr')
    """
    language, *parts = tag.lower().replace("_", "-").split("-")
    script = next((part for part in parts if len(part) == 4 and part.isalpha()), "")
    is_right_to_left = script in RIGHT_TO_LEFT_SCRIPTS if script else language in RIGHT_TO_LEFT
    return "rtl" if is_right_to_left else "ltr"


def name_of(tag: str) -> str:
    """Return the name of a language in that of the page; the tag if there is no name."""
    if tag.lower() in NAMES:
        return str(NAMES[tag.lower()])
    try:
        return str(get_language_info(tag)["name_translated"])
    except KeyError:
        return tag
