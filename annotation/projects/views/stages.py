"""The stages of a study, from its sentences to what is kept: their numbers, and what is left."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.access import rooms
from annotation.models import Correction, Translation, Validation
from annotation.projects import charts
from annotation.projects.charts import Shares
from annotation.projects.selectors.glance import Glance
from annotation.projects.selectors.over_time import Pace
from annotation.templatetags.figures import hours, number, share
from annotation.work import kinds


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage; without a number it is ahead. `left` is what waits in it, `note` says more."""

    name: str | Promise
    number: int | None
    note: str
    share: Shares
    address: str
    left: str = ""


def of_study(glance: Glance, pace: Pace | None = None) -> list[Stage]:
    """Return the stages in order; the pace, where work has one, says how long the rest takes."""
    project = glance.project
    if project.translates:
        return list(_of_translations(glance, pace))
    if project.judges:
        return list(_of_pairs(glance, pace))
    return [_of_kind(glance, kind) for kind in project.kinds]


def _of_pairs(glance: Glance, pace: Pace | None) -> Iterator[Stage]:
    yield _sentences(glance)
    yield _candidates(glance)
    if _is_corrected(glance):
        yield _corrected(glance)
    judged, pairs, left = glance.judged.total, glance.pairs, glance.undecided
    people = glance.project.judgments_per_pair
    answered = ngettext("by %(n)s person", "by %(n)s people", people) % {"n": number(people)}
    yield Stage(
        _("Graded") if glance.project.max_label > 1 else _("Judged"),
        judged if pairs else None,
        _about(pace) if left and pace and pace.forecast else answered,
        _part(judged, pairs),
        _list(glance, "pairs", state="decided"),
        left=_left(left),
    )
    kept, votes = glance.kept, glance.project.consensus_min_votes
    note = ngettext("if %(n)s agrees", "if %(n)s agree", votes) % {"n": number(votes)}
    if kept.total:
        note = _("%(share)s paraphrases") % {"share": share(kept.paraphrase / kept.total, 0)}
    yield Stage(
        _("Kept"),
        kept.total if judged else None,
        note,
        _part(kept.total, judged),
        _list(glance, "pairs", state="kept"),
    )


def _sentences(glance: Glance) -> Stage:
    corpora = glance.corpora
    note = ngettext("%(n)s corpus", "%(n)s corpora", corpora) % {"n": number(corpora)}
    return Stage(
        _("Sentences"),
        glance.sentences or None,
        note if corpora else _("add some first"),
        _part(glance.sentences, glance.sentences),
        _list(glance, "data"),
    )


def _candidates(glance: Glance) -> Stage:
    """Return the stage of what runs have made; of pairs, where nobody corrects them."""
    of_sentences = min(glance.rewritten, glance.sentences)
    note = _("start a run")
    if glance.candidates and glance.sentences:
        part = share(of_sentences / glance.sentences, 0)
        note = _("from %(share)s of the sentences") % {"share": part}
    elif glance.candidates or glance.pairs:
        runs = glance.runs
        note = ngettext("%(n)s run", "%(n)s runs", runs) % {"n": number(runs)} if runs else ""
    is_corrected = _is_corrected(glance)
    return Stage(
        _("Candidates") if is_corrected else _("Pairs"),
        (glance.candidates if is_corrected else glance.pairs) or None,
        note,
        _part(of_sentences, glance.sentences),
        _list(glance, "answers", Correction.KIND) if is_corrected else _list(glance, "pairs"),
    )


def _is_corrected(glance: Glance) -> bool:
    """Return whether anything is corrected, or will be in a project without candidates."""
    has_corrections = glance.items[Correction.KIND].number > 0
    is_usual = Correction.KIND in glance.project.kinds and bool(glance.project.corrected_methods)
    return has_corrections or (is_usual and not glance.pairs)


def _corrected(glance: Glance) -> Stage:
    done, rejected = corrected(glance)
    left = glance.left.get(Correction.KIND, 0)
    note = _("by one person")
    if rejected:
        note = _("%(n)s rejected") % {"n": number(rejected)}
    return Stage(
        _("Corrected"),
        done if glance.items[Correction.KIND].number else None,
        note,
        _part(done, done + left),
        _list(glance, "answers", Correction.KIND),
        left=_left(left),
    )


def corrected(glance: Glance) -> tuple[int, int]:
    """Return the numbers of candidates that are corrected, and of those that were rejected."""
    kind, action = Correction.KIND, Correction.Action
    counts = [glance.actions.get(f"{kind} {name}", 0) for name in action.values]
    return sum(counts), glance.actions.get(f"{kind} {action.REJECT}", 0)


def _of_translations(glance: Glance, pace: Pace | None) -> Iterator[Stage]:
    sentences, actions = glance.items[Translation.KIND].number, glance.actions
    pairs = glance.source_pairs
    yield Stage(_("Source pairs"), pairs or None, _("of a release"), _part(pairs, pairs), "")
    to_translate = _list(glance, "answers", Translation.KIND)
    yield Stage(_("Sentences"), sentences, "", _part(sentences, sentences), to_translate)
    translated, left = glance.translated, glance.left.get(Translation.KIND, 0)
    lost = max(0, sentences - translated - left)
    note = _about(pace) if left and pace and pace.forecast else ""
    if lost and not note:
        note = _("%(n)s untranslatable") % {"n": number(lost)}
    yield Stage(
        _("Translated"),
        translated,
        note,
        charts.shares({"done": translated, "lost": lost}, sentences or 1),
        to_translate,
        left=_left(left),
    )
    validated = sum(
        actions.get(f"{Validation.KIND} {name}", 0) for name in Validation.Action.values
    )
    left = glance.left.get(Validation.KIND, 0)
    yield Stage(
        _("Validated"),
        validated,
        "" if left else _("nothing waits"),
        _part(validated, validated + left),
        _list(glance, "answers", Validation.KIND),
        left=_left(left),
    )
    plan = getattr(glance.project, "translation_plan", None)
    delivered = sentences if plan is not None and plan.delivered_at else 0
    yield Stage(
        _("Delivered"),
        delivered,
        "" if delivered else _("when all are done"),
        _part(delivered, sentences),
        _list(glance, "releases"),
    )


def _of_kind(glance: Glance, name: str) -> Stage:
    kind, left = kinds.KINDS[name], glance.left.get(name, 0)
    slots = glance.items[name].number * kind.slots_in(glance.project)
    return Stage(
        kind.title_in(glance.project),
        max(0, slots - left),
        _("of %(n)s answers") % {"n": number(slots)},
        _part(slots - left, slots),
        _list(glance, "answers", name),
        left=_left(left),
    )


def _left(items: int) -> str:
    return _("%(n)s left") % {"n": number(items)} if items else ""


def _about(pace: Pace) -> str:
    if pace.forecast is None:
        return ""
    return _("about %(time)s") % {"time": hours(pace.left / pace.forecast.per_hour)}


def _part(done: float, whole: float) -> Shares:
    return charts.shares({"done": min(done, whole)} if whole else {}, whole)


def _list(glance: Glance, page: str, *kind: str, state: str = "") -> str:
    """Return the address of a list, empty if the project has none."""
    address = reverse(page, args=[glance.project.public_id, *kind])
    query = f"?{urlencode({'state': state})}" if state else ""
    return address + query if rooms.has_page(glance.project, address) else ""
