"""Shipped schemes whose labels have equal steps: degrees of similarity, and opinions."""

from django.utils.translation import gettext_noop as _

from annotation.stats.labels import Label, Level, Rule, Scheme

# The degrees of the STS benchmark (Cer et al. 2017, Table 1), in our words.
_DEGREES = (
    _("Nothing in common"),
    _("Only the topic in common"),
    _("Some details in common"),
    _("The same but for something important"),
    _("The same but for small details"),
    _("Exactly the same meaning"),
)
SIMILARITY = Scheme(
    tuple(Label(value, name) for value, name in enumerate(_DEGREES)),
    Level.INTERVAL,
    Rule.MEAN,
    border=3,
)
# From -5 to 5, as in the part "Par" of LeWiDi 2025; only some have a name.
_WORDS = {-5: _("Certainly different"), 0: _("Undecided"), 5: _("Certainly the same")}
OPINIONS = Scheme(
    tuple(Label(value, _WORDS.get(value, str(value))) for value in range(-5, 6)),
    Level.INTERVAL,
    Rule.NONE,
    border=1,
)
