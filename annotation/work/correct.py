"""Blind correction: accept, fix or reject a candidate without its source (PAWS 4)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext_lazy

from annotation.errors import NeedsConfirmation, NotStorable, Refused
from annotation.models import Correction, Item, Project, Slot
from annotation.pairs.services import pairs
from annotation.work.contract import ACTIONS, Fixing, Simulated
from generation.nlp.measures import words_kept
from generation.nlp.text import MAX_CHARACTERS, RefusedText, check, folded

# A fix that keeps a smaller share of the words has to be confirmed, and managers can list it.
ENOUGH_WORDS = 0.5
# What is sent with a fix that its author confirms.
ANYWAY = "fix_anyway"
# Of simulated people, as in PAWS Table 3, Wikipedia: of 50,000 candidates, 39,903 were accepted and
# 7,387 fixed.
ACCEPTED, FIXED = 0.798, 0.148
MOSTLY_REWRITTEN = gettext_lazy(
    "Not saved yet: fewer than half of the words are kept. Save it anyway, or keep editing."
)
MINIMAL_EDITS = gettext_lazy("This is mostly rewritten. Please make minimal edits.")
Action = Correction.Action


class Correct(Fixing):
    """An accepted or fixed candidate becomes a pair with its source, to be judged."""

    name = Correction.KIND
    title = gettext_lazy("Correct sentences")
    list_title = gettext_lazy("Candidates")
    items = gettext_lazy("candidates")
    answers = gettext_noop("corrections")
    offer = gettext_lazy("You correct sentences that a machine has rewritten, one at a time.")
    too_few = ngettext_lazy(
        "%(n)s candidate is waiting for correction, and no one can correct.",
        "%(n)s candidates are waiting for correction, and no one can correct.",
        "n",
    )
    stuck = ngettext_lazy(
        "%(n)s of the next candidates can’t be corrected: no one remains who can do so.",
        "%(n)s of the next candidates can’t be corrected: no one remains who can do so.",
        "n",
    )
    fixes = (Action.FIX, ANYWAY)
    file = "corrections"
    chapters = ("Correcting", "Correction")
    outcomes = {
        "accepted": (ACTIONS[Action.ACCEPT], Q(action=Action.ACCEPT)),
        "fixed": (ACTIONS[Action.FIX], Q(action=Action.FIX)),
        "rewritten": (
            gettext_lazy("mostly rewritten"),
            Q(action=Action.FIX, words_kept__lt=ENOUGH_WORDS),
        ),
        "rejected": (ACTIONS[Action.REJECT], Q(action=Action.REJECT)),
    }
    reads = ("item__candidate__run__corpus", "item__candidate__sentence")

    def simulate(self, person: Simulated, item: Item) -> dict[str, Any]:
        candidate = _candidate(item)
        drawn_share = person.share("correction", candidate.text)
        texts = (alternative["text"] for alternative in candidate.alternatives)
        other = next((text for text in texts if text != candidate.text), None)
        if drawn_share < ACCEPTED or (drawn_share < ACCEPTED + FIXED and other is None):
            return {"action": Action.ACCEPT}
        if drawn_share < ACCEPTED + FIXED:
            return {"action": ANYWAY, "text": other}
        return {"action": Action.REJECT}

    def is_usual_in(self, project: Project) -> bool:
        return bool(project.corrected_methods) or project.items.filter(kind=self.name).exists()

    def sentences(self, item: Item) -> tuple[str, ...]:
        return (str(_candidate(item).text),)

    def language(self, item: Item) -> str:
        return str(_candidate(item).run.corpus.language)

    def columns(self, slot: Slot, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return action, text and words kept; a fix that changes nothing visible is an accept."""
        action, candidate = answer["action"], _candidate(slot.item).text
        if action not in (*Action.values, ANYWAY):
            raise Refused(_("Accept, fix or reject the sentence."))
        if action not in (Action.FIX, ANYWAY):
            return {"action": action, "text": "", "words_kept": None}
        fixed = _check_fix(answer.get("text", ""), candidate)
        if folded(fixed) == folded(candidate):
            return {"action": Action.ACCEPT, "text": "", "words_kept": None}
        kept = words_kept(candidate, fixed)
        if kept < ENOUGH_WORDS and action != ANYWAY:
            raise NeedsConfirmation(MOSTLY_REWRITTEN, MINIMAL_EDITS)
        return {"action": Action.FIX, "text": fixed, "words_kept": kept}

    def background(self, item: Item) -> str:
        return str(_candidate(item).sentence.text)

    def follow(self, slot: Slot, others: Sequence[Slot]) -> None:
        """Open the pair of an accepted or fixed candidate."""
        pairs.recuse_corrector(slot)
        if slot.action != Action.REJECT:
            candidate = _candidate(slot.item)
            text = slot.text or candidate.text
            final = pairs.FinalText.from_candidate(slot.project, candidate, text, slot)
            pairs.open_pairs(slot.project, [final])

    def withdraw(self, slot: Slot) -> bool:
        """Delete the pair, unless a person has one of its slots or has skipped it."""
        return pairs.withdraw(slot)


def final_text(action: str, fix: str, rewrite: str) -> str | None:
    """Return the text that is judged: the rewrite, or its fix; None if there is none."""
    return None if action in ("", Action.REJECT) else fix or rewrite


def _check_fix(text: str, candidate: str) -> str:
    """Return a fix as it is stored, at most as long as a sentence or its candidate."""
    try:
        return check(text, max_characters=max(MAX_CHARACTERS, len(candidate)))
    except RefusedText as refusal:
        raise NotStorable(refusal) from refusal


def _candidate(item: Item) -> Any:
    """The candidate of an item to correct, which a constraint requires."""
    return item.candidate
