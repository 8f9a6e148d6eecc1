"""Generators compared: which candidates count for whom, and that nothing counts twice."""

import re

import pytest
from django.core.management import call_command

from annotation.projects import protocols
from annotation.projects.selectors import funnel, over_time
from annotation.runs import words
from annotation.runs.selectors import comparison
from annotation.runs.selectors.comparison import By
from annotation.stats.generators import Usage
from generation import methods
from generation.models import Candidate, GenerationRun, Method
from tests.annotation import judged, make, pages

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]

SWAP, BACK, PROMPTED = Method.WORD_SWAP, Method.BACK_TRANSLATION, Method.PROMPTED
TEXTS = ("Ana met Bo.", "Bo met Ana.")


@pytest.fixture
def project():
    return make.study()


def counts(project, way):
    """By the parts that tell generators apart: candidates, corrected, pairs, judged, kept."""
    found = comparison.of_project(project, way).lines[way]
    return {_parts(each.generator, way): _figures(each.figures) for each in found}


def _parts(of, way):
    return of.number if way is By.RUN else (of.method, getattr(of, way))


def _figures(each):
    return (each.candidates, each.corrected, each.pairs, each.judged, each.kept_pairs)


def test_shares_have_their_intervals_and_the_work_is_counted_for_each_kept_pair(project):
    make.candidates(project, [(f"Ana met {n}.", f"{n} met Ana.") for n in ("Bo", "Cy", "Di", "Ed")])
    corrector = make.person(project)
    for action in ("accept", "fix", "reject"):
        make.correct_next(corrector, action, *(["Bo once met Ana."] if action == "fix" else []))
    judged.all_that_is_open(project, [1, 1, 1, 1, 0])
    [line] = comparison.of_project(project, By.METHOD).lines["method"]
    found = line.figures
    assert (found.candidates, found.corrected, found.judged, found.kept_pairs) == (4, 3, 2, 2)
    assert found.fixed.value == found.rejected.value == pytest.approx(1 / 3)
    assert found.rejected.interval == pytest.approx((0.061, 0.792), abs=0.001)
    assert (found.paraphrase.value, found.agreement.value, found.kept.value) == (1, 0.8, 1)
    assert found.answers_per_kept == (3 + 10) / 2


def test_a_pair_that_two_methods_made_counts_for_each_and_once_in_the_total(project):
    make.candidates(project, [TEXTS], method=BACK)
    judged.all_that_is_open(project, [1, 1, 1, 1, 1])
    make.candidates(project, [TEXTS, TEXTS], method=Method.IMPORTED)
    found = comparison.of_project(project, By.METHOD)
    assert counts(project, By.METHOD) == {
        (BACK, BACK): (1, 0, 1, 1, 1),
        (Method.IMPORTED, Method.IMPORTED): (2, 0, 1, 1, 1),
    }
    assert _figures(found.total) == (3, 0, 1, 1, 1)


@pytest.mark.parametrize("is_corrected_first", [True, False])
def test_the_correction_of_a_candidate_counts_for_every_run_that_made_it(
    project, is_corrected_first
):
    first, other = [make.candidates(project, [TEXTS])[0].run_id for _ in range(2)][:2]
    if is_corrected_first:
        make.correct_next(make.person(project), "accept")
        judged.all_that_is_open(project, [0, 0, 0, 0, 0])
    third = make.candidates(project, [TEXTS])[0].run_id
    if not is_corrected_first:
        make.correct_next(make.person(project), "accept")
        judged.all_that_is_open(project, [0, 0, 0, 0, 0])
    assert counts(project, By.RUN) == dict.fromkeys((first, other, third), (1, 1, 1, 1, 1))
    assert _figures(comparison.of_project(project).total) == (3, 1, 1, 1, 1)


def test_the_total_is_that_of_the_overview(project):
    make.candidates(project, [TEXTS, ("Cy saw Di.", "Di saw Cy.")])
    make.correct_next(make.person(project), "fix", "Bo met Ana once.")
    make.candidates(project, [("Ana met Bo.", "Bo met Ana once.")], method=BACK)
    make.pairs(project, 2)
    judged.all_that_is_open(project, [1, 1, 1, 0, 0])
    course = over_time.of_project(project)
    every = funnel.total(funnel.by_method(project, course), protocols.of_project(project))
    found = comparison.of_project(project).total
    assert (found.candidates, found.pairs, found.judged, found.kept_pairs) == (
        every.candidates,
        every.pairs,
        every.judged.total,
        every.kept.total,
    )
    assert found.corrected == every.accepted + every.fixed + every.rejected


def make_run(project, number, settings, *, lacks=()):
    """A run with a candidate, and with settings but for those that it is older than."""
    [candidate] = make.candidates(project, [(f"Cy {number} saw Di.", f"Di saw Cy {number}.")])
    configured = methods.named(SWAP).configure(settings)
    stored = {name: value for name, value in configured.items() if name not in lacks}
    GenerationRun.objects.filter(pk=candidate.run_id).update(settings=stored)


def preset_titles(project, way):
    generators = (line.generator for line in comparison.of_project(project, way).lines[way])
    return [words.preset_title(row.method, row.preset, row.changed) for row in generators]


def test_a_run_with_one_other_setting_keeps_the_name_of_its_preset(project):
    named = methods.named(SWAP)
    of_preset = {name: named.preset(name).settings for name in ("default", "more")}
    for number, settings in enumerate(
        [
            of_preset["more"],
            {"per_sentence": 3},
            of_preset["more"] | {"per_sentence": 3, "device": "cuda"},
            of_preset["more"] | {"per_sentence": 3, "beam": 7},
        ]
    ):
        make_run(project, number, settings)
    found = [each.generator for each in comparison.of_project(project, By.RUN).lines[By.RUN]]
    changed = "per_sentence=3"
    expected = [("more", ""), ("default", changed), ("more", changed), ("", "")]
    assert [(each.preset, each.changed) for each in found] == expected
    assert preset_titles(project, By.RUN) == [
        "More candidates",
        "One per sentence; Candidates per sentence: 3",
        "More candidates; Candidates per sentence: 3",
        "custom settings",
    ]
    several = GenerationRun.objects.get(settings__beam=7)
    named_in_full = "More candidates; Beam width: 7; Candidates per sentence: 3"
    assert words.preset_name(several, most=2) == named_in_full


def test_a_run_that_is_older_than_a_setting_keeps_the_name_of_its_preset(project):
    make_run(project, 1, {"acceptance": 0.55}, lacks=("balance", "estimate_slope", "movable"))
    assert preset_titles(project, By.RUN) == ["More candidates"]


def test_runs_with_corrected_estimates_are_one_line_beside_their_preset(project):
    balanced = methods.named(SWAP).preset("balanced").settings
    for number, correction in enumerate(
        [{}, {"estimate_slope": 0.9, "estimate_shift": -0.4}, {"estimate_shift": -0.2}]
    ):
        make_run(project, number, balanced | correction)
    assert preset_titles(project, By.PRESET) == ["Recommended", "Recommended; recalibrated"]


def test_generators_are_told_apart_by_preset_models_and_kind_of_change(project):
    [one] = make.candidates(project, [("Cy saw Di.", "Di saw Cy.")])
    make.candidates(project, [TEXTS])
    more = methods.named(SWAP).preset("more").settings
    GenerationRun.objects.filter(pk=one.run_id).update(
        settings=methods.named(SWAP).configure(more),
        model_identities={"tagger": {"name": "tiny"}, "likeness": {"name": "embedded"}},
    )
    Candidate.objects.filter(pk=one.pk).update(kind="name")
    once = (1, 0, 0, 0, 0)
    assert counts(project, By.PRESET) == {(SWAP, "more"): once, (SWAP, "imported"): once}
    assert counts(project, By.MODELS) == {(SWAP, "tiny"): once, (SWAP, ""): once}
    assert counts(project, By.KIND) == {(SWAP, "name"): once, (SWAP, ""): once}


def let_ask(candidate, **usage):
    """Turn the run of a candidate into one that has asked a model on another server."""
    run = GenerationRun.objects.filter(pk=candidate.run_id)
    run.update(most_tokens=10**6, usage={"tokens_in": 900, "tokens_out": 100} | usage)


@pytest.fixture
def two_methods(project):
    """Three kept pairs: one by word swap, two by a model that took 1,000 tokens for 0.02 EUR."""
    make.candidates(project, [TEXTS], method=BACK)
    [prompted, _] = make.candidates(
        project, [("Cy saw Di.", "Di saw Cy."), ("Di saw Ed.", "Ed saw Di.")], method=PROMPTED
    )
    for member in [make.person(project) for _ in range(2)]:
        make.correct_next(member, "accept")
    judged.all_that_is_open(project, [1, 1, 1, 1, 1])
    let_ask(prompted, cost=20_000, currency="EUR")
    return project


def usage_by_method(project):
    lines = comparison.of_project(project, By.METHOD).lines["method"]
    return {line.generator.method: line.figures.usage for line in lines}


def test_tokens_and_cost_are_those_of_a_kept_pair(two_methods):
    usage = usage_by_method(two_methods)
    assert usage[PROMPTED] == Usage(900, 100, 500, 0.02, "EUR", 0.01)
    assert usage[BACK] is None
    total = comparison.of_project(two_methods).total.usage
    assert (total.tokens_per_kept, total.cost_per_kept) == pytest.approx((1000 / 3, 0.02 / 3))


def test_tokens_of_a_run_are_not_divided_among_its_kinds(two_methods):
    [line, _] = comparison.of_project(two_methods, By.KIND).lines["kind"]
    assert line.figures.usage is None


def test_costs_in_two_currencies_are_not_added(two_methods):
    [other] = make.candidates(two_methods, [("Ed met Flo.", "Flo met Ed.")], method=PROMPTED)
    let_ask(other, cost=50_000, currency="USD")
    usage = usage_by_method(two_methods)[PROMPTED]
    assert (usage.tokens_per_kept, usage.cost, usage.currency) == (1000, None, "")


def test_a_small_cost_is_shown_with_two_digits(two_methods):
    candidate = Candidate.objects.filter(run__method=PROMPTED).first()
    let_ask(candidate, cost=46, currency="EUR")
    shown = pages.client_of(two_methods).get(pages.page("compare_runs", two_methods)).text
    assert "0.000023 EUR" in shown


def test_the_report_names_tokens_and_cost_of_each_kept_pair(two_methods, capsys):
    call_command("report", project=two_methods.name)
    assert re.search(r" 500 +0\.010 EUR$", capsys.readouterr().out, re.MULTILINE)
