"""Links from a page to the terms that it uses, in the glossary of the documentation."""

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

register = template.Library()
# The terms that pages link to, by the heading in docs/glossary.md.
TERMS: dict[str, str | Promise] = {
    "kept": _("kept"),
    "consensus": _("consensus"),
    "majority": _("majority"),
    "alpha": _("alpha"),
    "kappa": _("kappa"),
    "re-issue": _("re-issue"),
    "gold-pair": _("gold pair"),
    "qualification": _("qualification"),
    "flag": _("flag"),
    "exclusion": _("exclusion"),
    "recusal": _("recusal"),
    "round": _("round"),
    "run": _("run"),
    "candidate": _("candidate"),
    "preset": _("preset"),
    "draft": _("draft"),
    "freeze": _("freeze"),
    "split": _("split"),
    "overlap": _("overlap"),
    "comparison-study": _("comparison study"),
    "validation": _("validation"),
    "word-error-rate": _("word error rate"),
    "delivery": _("delivery"),
}


@register.inclusion_tag("annotation/terms.html")
def terms(*names: str) -> dict[str, list[tuple[str | Promise, str]]]:
    """Show links to the glossary for the terms with these names. Raises KeyError."""
    glossary = reverse("help_page", args=["glossary"])
    return {"terms": [(TERMS[name], f"{glossary}#{name}") for name in names]}
