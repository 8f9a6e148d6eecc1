"""What pages show of a study that judges or grades pairs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Correction
from annotation.pairs import differences, rows
from annotation.people.selectors.names import Naming
from annotation.projects import charts, protocols
from annotation.projects.charts import Shares
from annotation.projects.labels import (
    GRADES,
    asks_about_meaning,
    asks_same_meaning,
    have_same_labels,
    headline_name,
    outcome_names,
)
from annotation.projects.selectors import latest, over_time
from annotation.projects.selectors.over_time import Course, Pace
from annotation.projects.views import results
from annotation.runs import services as runs
from annotation.stats.agreement import folded, headline_alpha, human
from annotation.stats.consensus import PAWS
from annotation.stats.labels import FEWEST, Scheme
from annotation.studies.base import Study, language_name
from annotation.studies.parts import (
    Example,
    Finish,
    Stage,
    Step,
    invite_people,
    list_address,
    number_left,
    part_done,
    time_left,
    unmarked,
)
from annotation.templatetags.figures import number, share

# Alpha of more pairs would take too long for a list.
MOST_PAIRS = 20_000
# Sentences of operations/demonstration: tests hold them against its files.
SWAPPED = (
    "The single reached number 4 in Norway and number 11 in Denmark in the spring of 1986.",
    "The single reached number 4 in Denmark and number 11 in Norway in the spring of 1986.",
)
DEFINED = (
    "A structure that computes from each key the slot in which its value is kept.",
    "Keys are turned into array positions, so a lookup goes straight to the right place.",
)


@dataclass(frozen=True, slots=True)
class Judging(Study):
    """A study whose people judge pairs, or grade them; candidates may be corrected first."""

    @property
    def is_graded(self) -> bool:
        scheme: Scheme = self.glance.project.scheme
        return scheme.is_graded

    @property
    def pairs_definitions(self) -> bool:
        """Whether people compare definitions, as in PARADE."""
        return have_same_labels(self.glance.project.scheme, GRADES)

    def facts(self) -> Iterator[str]:
        protocol = protocols.of_project(self.glance.project)
        if self.is_graded:
            lowest, *_between, highest = map(number, protocol.scheme.values)
            yield _("Graded %(lowest)s to %(highest)s") % {"lowest": lowest, "highest": highest}
        elif asks_same_meaning(protocol.scheme):
            yield "PAWS" if protocol == PAWS else _("Same or different")
        else:
            yield _("%(n)s labels") % {"n": number(protocol.scheme.size)}
        yield from map(language_name, self.glance.languages)

    def progress(self) -> tuple[Shares, list[str]]:
        glance = self.glance
        if not glance.is_young or glance.pairs:
            return self._progress_of_pairs()
        text = ngettext("%(n)s sentence", "%(n)s sentences", glance.sentences)
        waiting = _("no candidates yet")
        if glance.candidates:
            waiting = ngettext("%(n)s candidate", "%(n)s candidates", glance.candidates)
            waiting %= {"n": number(glance.candidates)}
        return charts.shares({}, 1), [text % {"n": number(glance.sentences)}, waiting]

    def _progress_of_pairs(self) -> tuple[Shares, list[str]]:
        glance = self.glance
        kept, doing = glance.kept.total, glance.undecided
        too_few = glance.judged.total - kept
        _done, rejected = self._count_corrected()
        excluded = sum(items.excluded for items in glance.items.values())
        to_correct = glance.left.get(Correction.KIND, 0)
        lost = rejected + excluded + too_few
        whole = kept + doing + lost + to_correct + glance.set_aside
        if self.is_graded:
            # The words name no part but those that are graded: whatever waits is the empty rest.
            bar = charts.shares({"done": kept, "lost": lost}, whole or 1)
            graded = {"done": number(glance.judged.total), "all": number(glance.pairs)}
            parts = [_("%(done)s of %(all)s graded") % graded]
            if 0 < glance.judged.total <= MOST_PAIRS:
                alpha = headline_alpha(glance.votes, glance.project.scheme).value
                parts += [_("alpha %(value)s") % {"value": number(alpha, 2)}]
            return bar, parts
        bar = charts.shares({"done": kept, "doing": doing, "lost": lost}, whole or 1)
        counts = (
            (kept, _("%(n)s kept")),
            (doing, _("%(n)s being judged")),
            (to_correct, _("%(n)s to correct")),
            (too_few, _("%(n)s too few agree")),
        )
        return bar, [text % {"n": number(count)} for count, text in counts if count]

    def stages(self, pace: Pace | None) -> list[Stage]:
        return list(self._stages(pace))

    def _stages(self, pace: Pace | None) -> Iterator[Stage]:
        glance = self.glance
        if not glance.is_complete:
            yield self._sentences()
        yield self._candidates()
        if self._is_corrected():
            yield self._corrected()
        judged, pairs, left = glance.judged.total, glance.pairs, glance.undecided
        people = glance.project.judgments_per_pair
        answered = ngettext("by %(n)s person", "by %(n)s people", people) % {"n": number(people)}
        yield Stage(
            _("Graded") if self.is_graded else _("Judged"),
            judged if pairs else None,
            time_left(pace) if left and pace and pace.forecast else answered,
            part_done(judged, pairs),
            list_address(glance, "pairs", state="decided"),
            left=number_left(left),
        )
        scheme = glance.project.scheme
        if not scheme.decides:
            return  # every judged pair is kept
        kept, votes = glance.kept, glance.project.consensus_min_votes
        note = ngettext("if %(n)s agrees", "if %(n)s agree", votes) % {"n": number(votes)}
        if kept.total and scheme.is_binary:
            part = share(kept.by_outcome[1] / kept.total, 0)
            note = f"{part} {outcome_names(scheme)[1]}"
        yield Stage(
            _("Kept"),
            kept.total if judged else None,
            note,
            part_done(kept.total, judged),
            list_address(glance, "pairs", state="kept"),
        )

    def _sentences(self) -> Stage:
        glance = self.glance
        corpora = glance.corpora
        note = ngettext("%(n)s corpus", "%(n)s corpora", corpora) % {"n": number(corpora)}
        return Stage(
            _("Sentences"),
            glance.sentences or None,
            note if corpora else _("add some first"),
            part_done(glance.sentences, glance.sentences),
            list_address(glance, "data"),
        )

    def _candidates(self) -> Stage:
        """Return the stage of candidates; of pairs, if they are not corrected first."""
        glance = self.glance
        of_sentences = min(glance.rewritten, glance.sentences)
        note = _("start a run")
        if glance.candidates and glance.sentences:
            part = share(of_sentences / glance.sentences, 0)
            note = _("from %(share)s of the sentences") % {"share": part}
        elif glance.candidates or glance.pairs:
            runs = glance.runs
            note = ngettext("%(n)s run", "%(n)s runs", runs) % {"n": number(runs)} if runs else ""
        is_corrected, corrections = self._is_corrected(), glance.items[Correction.KIND]
        # Only the candidates of some methods may be corrected.
        are_listed = corrections.number + corrections.excluded == glance.candidates
        page = ("answers", Correction.KIND) if are_listed else ("generation_runs",)
        return Stage(
            _("Candidates") if is_corrected else _("Pairs"),
            (glance.candidates if is_corrected else glance.pairs) or None,
            note,
            part_done(of_sentences, glance.sentences),
            list_address(glance, *(page if is_corrected else ("pairs",))),
        )

    def _is_corrected(self) -> bool:
        """Return whether anything is corrected, or will be in a project without candidates."""
        glance = self.glance
        has_corrections = glance.items[Correction.KIND].number > 0
        is_usual = Correction.KIND in glance.project.kinds and bool(
            glance.project.corrected_methods
        )
        return has_corrections or (is_usual and not glance.pairs)

    def _corrected(self) -> Stage:
        glance = self.glance
        done, rejected = self._count_corrected()
        left = glance.left.get(Correction.KIND, 0)
        note = _("by one person")
        if rejected:
            note = _("%(n)s rejected") % {"n": number(rejected)}
        return Stage(
            _("Corrected"),
            done if glance.items[Correction.KIND].number else None,
            note,
            part_done(done, done + left),
            list_address(glance, "answers", Correction.KIND),
            left=number_left(left),
        )

    def _count_corrected(self) -> tuple[int, int]:
        """Return the numbers of candidates that are corrected, and of those that were rejected."""
        glance = self.glance
        kind, action = Correction.KIND, Correction.Action
        counts = [glance.actions.get(f"{kind} {name}", 0) for name in action.values]
        return sum(counts), glance.actions.get(f"{kind} {action.REJECT}", 0)

    def _steps(self) -> Iterator[Step]:
        glance = self.glance
        if glance.is_complete:
            ready = _("The pairs are ready.")
            yield invite_people(glance, f"{ready} {self._needed()}")
            return
        if asks_about_meaning(glance.project.scheme):
            yield from self._steps_to_candidates()
        else:
            yield Step(
                _("Add pairs"),
                _("Upload finished pairs, or let a run make candidates from sentences."),
                bool(glance.pairs or glance.candidates),
                gettext_lazy("Upload pairs"),
                "data",
                gettext_lazy("New run"),
                "new_run",
            )
        yield invite_people(glance, self._needed())
        release = _(
            "Possible from the first kept pair on, with train, dev and test, a card and a citation."
        )
        yield Step(
            _("Release the dataset"),
            release,
            bool(glance.version),
            gettext_lazy("Releases"),
            "releases",
        )

    def _steps_to_candidates(self) -> Iterator[Step]:
        glance = self.glance
        has_pairs = bool(glance.pairs or glance.candidates)
        added = _("Upload or paste them, or upload finished pairs.")
        if glance.sentences:
            added = ngettext("%(n)s sentence added.", "%(n)s sentences added.", glance.sentences)
            added %= {"n": number(glance.sentences)}
        yield Step(
            _("Add definitions") if self.pairs_definitions else _("Add sentences"),
            added,
            bool(glance.sentences) or has_pairs,
            _("Add definitions") if self.pairs_definitions else _("Add sentences"),
            "data",
        )
        run = (
            _("A run pairs the definitions of each entity.")
            if self.pairs_definitions
            else _("A run makes candidates from the sentences. You see the first, then decide.")
        )
        ways = [
            (gettext_lazy("New run"), "new_run"),
            (gettext_lazy("I have finished pairs"), "data"),
        ]
        if not self._can_run():
            language = language_name(glance.languages[0])
            run = _("No method rewrites sentences in %(language)s: upload finished pairs.")
            run, ways = run % {"language": language}, ways[::-1]
        (button, page), (other, other_page) = ways
        title = _("Pair them") if self.pairs_definitions else _("Rewrite them")
        yield Step(title, run, has_pairs, button, page, other, other_page)

    def _can_run(self) -> bool:
        """Return whether some method makes candidates from the sentences that there are."""
        glance = self.glance
        can_rewrite = any(runs.can_rewrite(glance.project, tag) for tag in glance.languages)
        return self.pairs_definitions or not glance.languages or can_rewrite

    def _needed(self) -> str:
        glance = self.glance
        needed = glance.project.judgments_per_pair
        text = ngettext("%(n)s person to judge.", "%(n)s people to judge.", needed)
        if Correction.KIND in glance.project.kinds and glance.project.corrected_methods:
            text = ngettext(
                "1 person to correct, %(n)s to judge.",
                "1 person to correct, %(n)s to judge.",
                needed,
            )
        link = _("A link is enough; nobody needs an email address.")
        return f"{text % {'n': number(needed)}} {link}"

    def example(self) -> Example | None:
        project = self.glance.project
        if not asks_about_meaning(project.scheme):
            return None
        if self.is_graded:
            title, texts = gettext_lazy("Source and rewrite"), differences.pieces(*SWAPPED)
            if self.pairs_definitions:
                title, texts = gettext_lazy("Two definitions of a hash table"), unmarked(DEFINED)
            return Example(
                title,
                texts,
                ("en", "en"),
                ngettext(
                    "%(n)s person grades how much they say the same.",
                    "%(n)s people grade how much they say the same.",
                    project.judgments_per_pair,
                )
                % {"n": number(project.judgments_per_pair)},
                gettext_lazy("a grade"),
            )
        return Example(
            gettext_lazy("Source and rewrite"),
            differences.pieces(*SWAPPED),
            ("en", "en"),
            ngettext(
                "%(n)s person says whether both mean the same.",
                "%(n)s people say whether both mean the same.",
                project.judgments_per_pair,
            )
            % {"n": number(project.judgments_per_pair)},
            gettext_lazy("not a paraphrase"),
        )

    def finish(self) -> Finish | None:
        if not self.glance.kept.total or self.glance.undecided:
            return None
        text = (
            _("All is graded: draft a release.")
            if self.is_graded
            else _("All is judged: draft a release.")
        )
        return Finish(text, _("Draft a release"), "draft_release")

    def course(self) -> Course | None:
        return over_time.of_project(self.glance.project)

    def panes(self, course: Course | None, naming: Naming) -> dict[str, Any]:
        glance, votes = self.glance, self.glance.votes
        scheme, exclusions = glance.project.scheme, latest.exclusions(glance.project)
        agreement = human(folded(votes, scheme))
        return {
            "agreement": agreement,
            "alpha": headline_alpha(votes, scheme),
            "alpha_name": headline_name(scheme),
            "change": results.change_by_exclusion(exclusions, agreement.value, naming),
            "labels": results.labels(glance.kept, scheme),
            "grades": results.grades(glance.project, votes) if scheme.size > FEWEST else None,
            "course": results.decided_pairs(course, glance.pairs, exclusions) if course else None,
            "latest": [
                rows.pair_row(pair, glance.project) for pair in latest.decided_pairs(glance.project)
            ],
        }
