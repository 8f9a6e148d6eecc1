"""What pages call the ways in which pairs came about."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from generation.models import Method

METHOD_NAMES: dict[str, str | Promise] = {
    Method.WORD_SWAP: _("word swap"),
    Method.BACK_TRANSLATION: _("back translation"),
    Method.DEFINITIONS: _("definitions"),
    Method.PROMPTED: _("rewrite by a chat model"),
    Method.TRANSLATION: _("translation"),
    Method.IMPORTED: _("imported"),
    # Of pairs of releases alone.
    "recombined": _("recombined"),
    "not judged": _("not judged"),
}
# Of pairs that people judge: translations are none.
JUDGED_METHODS = (
    *(Method.WORD_SWAP, Method.BACK_TRANSLATION, Method.PROMPTED),
    *(Method.DEFINITIONS, Method.IMPORTED),
)


def method_name(method: str) -> str:
    """Return the name of a method; one that is unknown as it is."""
    return str(METHOD_NAMES.get(method, method))
