"""What annotators accepted of word swaps beside the estimate: figures, pages, command and REST."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.quality.services import interventions
from annotation.runs.selectors import accepted
from annotation.stats.estimated import Corrected
from generation import methods
from generation.models import Candidate, GenerationRun
from support import fake
from tests.annotation import make
from tests.annotation.pages import page

SWAP = methods.METHODS["word_swap"]


def answered(project, kind, *, accepts, fixes, probability, settings=None):
    """Candidates of a new run with the same estimate and kind, corrected; returns the run."""
    texts = [(f"{kind} {n} met Bo.", f"Bo met {kind} {n}.") for n in range(accepts + fixes)]
    candidates = make.candidates(project, texts)
    run = GenerationRun.objects.get(pk=candidates[0].run_id)
    run.settings = SWAP.configure(settings or {})
    run.save()
    Candidate.objects.filter(run=run).update(kind=kind, probability=probability)
    corrector = make.person(project)
    for number in range(accepts + fixes):
        fix = ("fix", f"Bo once met {kind} {number}.")
        make.correct_next(corrector, *(("accept",) if number < accepts else fix))
    return run


@pytest.fixture
def sixty(project):
    """Sixty corrections; adjectives are accepted much less than names. Returns the newest run."""
    answered(project, "name", accepts=27, fixes=3, probability=0.85)
    return answered(project, "adjective", accepts=9, fixes=21, probability=0.75)


def settings_of_new_run(project):
    return GenerationRun.objects.filter(projects=project).latest("pk").settings


@pytest.mark.usefixtures("sixty")
def test_corrections_are_counted_by_kind_beside_the_sum_of_their_estimates(project):
    figures = accepted.of_project(project)
    assert figures.kinds == {
        "adjective": Corrected(9, 30, pytest.approx(22.5)),
        "name": Corrected(27, 30, pytest.approx(25.5)),
    }
    assert figures.worse == ["adjective"]


@pytest.mark.usefixtures("sixty")
def test_answers_of_excluded_people_do_not_count(project):
    first = project.memberships.order_by("pk")[0]
    make.judge_next(first)
    interventions.exclude(first, by=None, reason="At random.")
    assert accepted.of_project(project).total.corrections == 30


@pytest.mark.parametrize("probability", [None, 0.0, 1.0])
def test_candidates_without_an_estimate_or_with_a_certain_one_do_not_count(project, probability):
    answered(project, "name", accepts=1, fixes=1, probability=probability)
    assert accepted.of_project(project).total == Corrected()


@pytest.mark.usefixtures("sixty")
def test_figures_of_a_preset_are_those_of_runs_that_change_nothing_of_it(project):
    more = SWAP.preset("more").settings
    answered(project, "verb", accepts=30, fixes=20, probability=0.6, settings=more)
    answered(project, "noun", accepts=2, fixes=0, probability=0.9, settings={"beam": 7})
    presets = accepted.of_project(project).presets
    assert {name: row.corrections for name, row in presets.items()} == {"default": 60, "more": 50}


def test_estimates_of_corrected_runs_are_taken_back_before_the_next_correction(project):
    """So that correcting again does not correct twice."""
    answered(project, "name", accepts=30, fixes=30, probability=0.8)
    first = accepted.of_project(project).recalibration
    again = make.study()
    corrected = first.corrected(0.8)
    answered(
        again,
        "noun",
        accepts=30,
        fixes=30,
        probability=corrected,
        settings={"estimate_slope": first.slope, "estimate_shift": first.shift},
    )
    assert accepted.of_project(again).recalibration == first


def test_the_page_of_runs_offers_to_leave_out_the_worse_kind(project, manager, sixty):
    shown = manager.get(page("generation_runs", project)).text
    assert "Leave out adjectives: 9 of 30 accepted" in shown
    assert f"?from={sixty.public_id}&amp;without=adjective" in shown
    assert "Leave out names" not in shown


def test_the_page_of_runs_shows_nothing_below_fifty_corrections(project, manager):
    answered(project, "name", accepts=2, fixes=2, probability=0.8)
    assert "Accepted as they are" not in manager.get(page("generation_runs", project)).text


def test_the_link_opens_a_new_run_with_that_kind_not_ticked(project, manager, sixty):
    query = {"from": sixty.public_id, "without": "adjective"}
    reply = manager.get(page("new_run", project), query)
    ticked = reply.context["form"]["movable"].value()
    assert set(SWAP.configure({})["movable"]) - set(ticked) == {"adjective"}
    assert "This run leaves out adjectives" in reply.text


def test_a_kind_that_runs_do_not_have_cannot_be_left_out(project, manager, sixty):
    query = {"from": sixty.public_id, "without": "colour"}
    assert manager.get(page("new_run", project), query).status_code == 404


@pytest.mark.usefixtures("sixty")
def test_a_new_run_corrects_its_estimate_only_if_that_is_ticked(project, manager):
    address = page("new_run", project) + "?method=word_swap"
    form = manager.get(address).context["form"]
    assert form["correct_estimate"].label == (
        "Correct the estimate by the 60 corrections of this project"
    )
    values = {row.html_name: row.value() for row in form}
    values = {
        name: value for name, value in values.items() if value is not None and value is not False
    }
    settings = {}
    for tick in ({}, {"correct_estimate": "on"}):
        assert manager.post(address, values | tick).status_code == 302
        settings[bool(tick)] = settings_of_new_run(project)
    assert settings[False] == SWAP.configure(SWAP.with_preset("", {}))
    correction = accepted.of_project(project).settings
    assert correction["estimate_shift"] != 0
    assert settings[True] == SWAP.configure(SWAP.with_preset("", correction))


@pytest.mark.usefixtures("sixty")
def test_cards_of_presets_show_the_share_of_this_project_where_there_is_one(project, manager):
    shown = manager.get(page("new_run", project), {"method": "word_swap"}).text
    assert (
        "in this project 60 % accepted as they are (47–71 %, of 60)".replace(
            " %", "\N{NO-BREAK SPACE}%"
        )
        in shown
    )
    assert "81\N{NO-BREAK SPACE}% accepted as they are (76–85" in shown  # of the preset `more`


@pytest.mark.usefixtures("sixty")
def test_the_command_corrects_the_estimate_if_asked(project):
    corpus = fake.corpus(2, "Rivers")
    options = (f"--corpus={corpus.name}", f"--project={project.name}", "--correct-estimate")
    call_command("generate", *options, stdout=StringIO())
    correction = accepted.of_project(project).settings
    assert settings_of_new_run(project) == SWAP.configure(SWAP.with_preset("", correction))


@pytest.mark.usefixtures("sixty")
def test_the_command_refuses_a_setting_beside_its_correction(project):
    corpus = fake.corpus(2, "Rivers")
    options = (f"--corpus={corpus.name}", f"--project={project.name}", "--correct-estimate")
    with pytest.raises(CommandError, match="sets estimate_slope too: omit it"):
        call_command("generate", *options, "--set=estimate_slope=1")


def test_the_command_refuses_to_correct_by_too_few_corrections(project):
    corpus = fake.corpus(2, "Rivers")
    options = (f"--corpus={corpus.name}", f"--project={project.name}", "--correct-estimate")
    with pytest.raises(CommandError, match=r"has 0 corrections .* Correct 50 candidates, or omit"):
        call_command("generate", *options)


@pytest.mark.usefixtures("sixty")
def test_rest_has_the_figures_and_the_settings_that_correct(project, manager):
    reply = manager.get(f"/api/projects/{project.public_id}/acceptance/").json()
    [adjectives, names] = reply["kinds"]
    assert adjectives["accepted"] == {
        "value": 0.3,
        "interval": pytest.approx([0.167, 0.479], abs=1e-3),
    }
    assert (adjectives["is_worse"], names["is_worse"]) == (True, False)
    assert adjectives["estimate"] == pytest.approx(0.75)
    assert reply["settings"] == accepted.of_project(project).settings


def test_rest_has_no_settings_below_fifty_corrections(project, manager):
    reply = manager.get(f"/api/projects/{project.public_id}/acceptance/").json()
    assert (reply["corrections"], reply["kinds"], reply["settings"]) == (0, [], None)
