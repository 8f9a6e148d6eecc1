"""Languages by their tags (BCP 47): the direction in which they are written, and their names."""

from django.utils.functional import Promise
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

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
    language, *more = tag.lower().replace("_", "-").split("-")
    script = next((each for each in more if len(each) == 4 and each.isalpha()), "")
    written = script in RIGHT_TO_LEFT_SCRIPTS if script else language in RIGHT_TO_LEFT
    return "rtl" if written else "ltr"


def name_of(tag: str) -> str:
    """Return the name of a language in that of the page; the tag if there is no name."""
    if tag.lower() in NAMES:
        return str(NAMES[tag.lower()])
    try:
        return str(get_language_info(tag)["name_translated"])
    except KeyError:
        return tag
