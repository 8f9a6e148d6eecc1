"""Creates projects in which people judge pairs of a release without knowing its labels.

A comparison study measures people by the labels (PARADE 5.3); if pairs are judged again, the labels
are compared with those that people give now.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Judgment, Project, Recusal, SentencePair
from annotation.pairs.labelled_lines import GoldPair
from annotation.pairs.services import pairs
from annotation.pairs.services.pairs import FinalText
from annotation.projects.protocols import PARADE, PRESETS, columns
from annotation.projects.services import projects
from annotation.quality.services import qualification
from annotation.stats.consensus import PAWS
from annotation.work import one_person
from common import bulk
from generation.models import Candidate
from generation.nlp.text import pair_key
from generation.readers import PairLine
from generation.services.imported_pairs import import_candidates
from releases.models import Comparison, Example, Release
from releases.selectors.comparisons import TEST, TRAIN, draw_examples, number_of
from releases.selectors.published import is_published_set
from releases.selectors.releases import scheme_of, settings_of
from releases.services import published

# In the paper, three students read 100 cases with their labels and judged 100 others.
SAMPLE, TAUGHT, PEOPLE = 100, 100, 3
# Pairs are judged as they were released, without correction.
ONLY_JUDGED: Mapping[str, Any] = {"kinds": [Judgment.KIND], "corrected_methods": []}


class TooFew(Refused):
    """Splits have fewer labelled pairs than the argument named `option` asks for."""

    def __init__(self, text: str, *, option: str) -> None:
        super().__init__(text)
        self.option = option


@transaction.atomic
def create(
    release: Release,
    *,
    name: str,
    sample: int | None = None,
    taught: int | None = None,
    people: int = PEOPLE,
    seed: int = 0,
    managers: Iterable[User] = (),
    by: User | None = None,
) -> Comparison:
    """Create a project in which `people` judge a random sample of the test set each.

    Its qualification set has `taught` pairs of the train set with their labels, and everyone
    passes it. By default, each number is the usual one, or all pairs there are if these are fewer;
    of the test set at least one. Scale, criteria, examples and guidelines are those of the released
    study; pairs are judged without correction. People who judged or corrected a pair there never
    get it.

    Raises TooFew if a split has too few judged pairs; Refused if the release is not frozen, or
    states no grades on a graded scale; and ValidationError for a name that exists.
    """
    if release.state != Release.State.FROZEN:
        raise Refused(_("Only a frozen release can be compared with."))
    _refuse_other_labels(release)
    if sample is None:
        sample = min(SAMPLE, number_of(release, [TEST])) or 1
    if taught is None:
        taught = min(TAUGHT, number_of(release, [TRAIN]))
    test = _draw_examples(release, [TEST], sample, seed, option="sample")
    train = _draw_examples(release, [TRAIN], taught, seed, option="taught")
    lines = _gold_pairs(train, is_graded=scheme_of(release).folds)
    settings = _project_settings(release, people) | {"asks_qualification": bool(lines)}
    project = projects.create(name, seed=seed, managers=managers, by=by, **settings)
    _open_pairs(project, release, test)
    if lines:
        qualification.add(project, lines, by=by)
    return Comparison.objects.create(
        project=project, release=release, sample=sample, taught=taught, seed=seed, created_by=by
    )


@transaction.atomic
def judge_again(
    release: Release,
    *,
    name: str,
    preset: str = "",
    splits: Collection[str] = (TEST,),
    sample: int | None = None,
    seed: int = 0,
    managers: Iterable[User] = (),
    by: User | None = None,
) -> Comparison:
    """Create a project in which people judge labelled pairs of a release again.

    `sample` pairs of the splits are drawn; None: all. The settings are those of the `preset`;
    without one, scale, criteria, examples and guidelines are those of the release. Pairs are judged
    as they are released. People who judged or corrected a pair there never get it.

    Raises TooFew if the splits have fewer labelled pairs, or none; Refused if the release is not
    frozen; ValidationError for a name that exists; and KeyError for an unknown preset.
    """
    if release.state != Release.State.FROZEN:
        raise Refused(_("Only the pairs of a frozen release can be judged again."))
    _refuse_other_labels(release)
    examples = _draw_examples(release, splits, sample, seed, option="sample")
    if not examples:
        text = _("This release has no labelled pairs in %(splits)s. Choose other splits.")
        raise TooFew(text % {"splits": ", ".join(splits)}, option="splits")
    settings = PRESETS[preset].settings if preset else _settings_of_release(release)
    settings |= ONLY_JUDGED
    project = projects.create(name, seed=seed, managers=managers, by=by, **settings)
    _open_pairs(project, release, examples)
    return Comparison.objects.create(
        project=project,
        release=release,
        purpose=Comparison.Purpose.LABELS,
        splits=list(splits),
        sample=sample,
        taught=0,
        seed=seed,
        created_by=by,
    )


def _refuse_other_labels(release: Release) -> None:
    """Raises Refused unless each pair has one of two labels, which two studies can share."""
    if not (scheme := scheme_of(release)).is_binary:
        text = _("%(release)s has the labels %(labels)s. A comparison needs paraphrase or not.")
        raise Refused(text % {"release": release, "labels": ", ".join(scheme.outcomes)})


def _draw_examples(
    release: Release, splits: Collection[str], number: int | None, seed: int, *, option: str
) -> list[Example]:
    available = number_of(release, splits)
    if number is not None and number > available:
        text = _(
            "This release has %(pairs)s labelled pairs in %(splits)s. Choose at most that many."
        )
        raise TooFew(text % {"splits": ", ".join(splits), "pairs": available}, option=option)
    return draw_examples(release, splits, number, seed=seed)


def _gold_pairs(examples: Sequence[Example], *, is_graded: bool) -> list[GoldPair]:
    """Return pairs with the answer that most experts gave, on the scale of the study."""
    labels = [example.grade if is_graded else example.label for example in examples]
    if None in labels:
        raise Refused(
            _("This release states no grades. Build a new version, and compare with that one.")
        )
    return [
        GoldPair(example.sentence1, example.sentence2, label or 0)
        for example, label in zip(examples, labels, strict=True)
    ]


def _project_settings(release: Release, people: int) -> dict[str, Any]:
    """Return the settings of the project that the release and the number of people determine."""
    return {
        "judgments_per_pair": people,
        "consensus_min_votes": people // 2 + 1,
        "decides_early": False,
        "scheme": scheme_of(release),
        **ONLY_JUDGED,
        **_texts_of_release(release),
        "skipping": Project.Skipping.LATER,
        "pass_mark": 0,
        "attempts": 1,
    }


def _settings_of_release(release: Release) -> dict[str, Any]:
    """Return the settings of a project that judges as the people of the release did.

    Of a set that others published, the labels alone are known.
    """
    if is_published_set(release):
        scheme = scheme_of(release)
        return columns(replace(PARADE if scheme.folds else PAWS, scheme=scheme))
    return columns(settings_of(release).protocol) | _texts_of_release(release)


def _texts_of_release(release: Release) -> dict[str, Any]:
    return {
        "label_looks": release.project.label_looks,
        "question": release.project.question,
        "guidelines": release.facts.get("guidelines", ""),
    }


def _open_pairs(project: Project, release: Release, examples: Sequence[Example]) -> None:
    if is_published_set(release):
        _open_published_pairs(project, release, examples)
    else:
        _open_released_pairs(project, examples)


def _open_published_pairs(project: Project, release: Release, examples: Sequence[Example]) -> None:
    """Create a pair for each example, of a candidate that is stored once for all studies."""
    corpus = published.corpus_of(release)
    lines = [
        PairLine(number, example.sentence1, example.sentence2, pair_id=example.published_id)
        for number, example in enumerate(examples, start=1)
    ]
    import_candidates(lines, corpus=corpus, origin=str(release))
    # All of them: the corpus has no others than those that studies of the set needed.
    rows = Candidate.objects.filter(sentence__corpus=corpus).select_related("sentence")
    by_key = {pair_key(row.sentence.text, row.text): row for row in rows.order_by("-pk")}
    keys = dict.fromkeys(pair_key(example.sentence1, example.sentence2) for example in examples)
    candidates = [by_key[key] for key in keys]
    finals = [FinalText.from_candidate(project, row, row.text) for row in candidates]
    pairs.open_pairs(project, finals)


def _open_released_pairs(project: Project, examples: Sequence[Example]) -> None:
    """Create a pair of the same candidate for each example, closed to those who know it."""
    keys = [example.pair_id for example in examples if example.pair_id is not None]
    rows = SentencePair.objects.filter(bulk.among("pk", keys))
    pair_by_key = {
        row.pk: row for row in rows.select_related("candidate__sentence", "sentence2", "origin")
    }
    released_pairs = [pair_by_key[key] for key in keys]
    finals = [
        FinalText.from_candidate(project, pair.candidate, pair.sentence2.text)
        for pair in released_pairs
    ]
    pairs.open_pairs(project, finals)
    pair_of_candidate = dict(
        SentencePair.objects.filter(project=project).values_list("candidate", "pk")
    )
    judged = Judgment.objects.filter(bulk.among("item", keys)).values_list(
        "item__candidate", "annotator"
    )
    corrected = (
        (pair.candidate_id, pair.origin.annotator_id) for pair in released_pairs if pair.origin
    )
    candidates_and_people = {
        (key, person) for key, person in (*judged, *corrected) if key and person
    }
    one_person.recuse(
        ((pair_of_candidate[key], person) for key, person in candidates_and_people),
        Recusal.Reason.REPEATED,
    )
