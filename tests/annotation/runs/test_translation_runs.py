"""Translations by a model belong to the project that translates, and are never judged."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Intake, Item
from annotation.pairs.services import intake
from annotation.projects.services import projects
from annotation.runs import services as project_runs
from annotation.runs.selectors import runs as selectors
from generation import methods
from generation.errors import WrongLanguage, WrongMethod
from generation.methods import model_loaders, translation
from generation.models import Corpus, GenerationRun, Sentence
from generation.nlp.back_translation import Translation
from support import fake
from support.workers import work_until_idle
from tests.annotation import make, translating
from tests.annotation.pages import client_of, page, signed_in

pytestmark = pytest.mark.django_db


class Dictionary:
    """A translator without a model."""

    identity = {"name": "dictionary", "sha256": "1"}

    def translate(self, texts, k):
        return [(Translation(f"Auf Deutsch: {text}", -1.0),) for text in texts]


@pytest.fixture(autouse=True)
def dictionary(monkeypatch):
    monkeypatch.setattr(model_loaders, "load_translator", lambda name, **_: Dictionary())
    monkeypatch.setattr(model_loaders, "identify_translator", lambda name: Dictionary.identity)


def test_each_sentence_of_a_corpus_is_translated_and_nothing_enters_the_project():
    project, corpus = translating.study(), fake.corpus(70, "English")
    items = Item.objects.count()
    [run] = project_runs.start(project, [corpus], method="translation")
    assert work_until_idle() == 2
    made = run.candidate_set.order_by("sentence_id")
    assert [each.text for each in made] == [f"Auf Deutsch: {text}" for text in fake.texts(corpus)]
    assert run.model_identities == {"forward": Dictionary.identity}
    assert intake.take_in_all() == 0
    # Not even if the run is linked to a project that judges.
    ordinary = make.study()
    ordinary.runs.add(run)
    assert intake.take_in_all() == 0
    assert not Intake.objects.exists()
    assert Item.objects.count() == items
    assert not Sentence.objects.exclude(candidate=None).exists()


def test_a_project_that_judges_takes_no_translations_and_one_that_translates_nothing_else():
    judges, translates = make.study(), translating.study()
    corpus = fake.corpus(5, "English")
    assert "translation" not in project_runs.methods_of(judges)
    assert project_runs.methods_of(translates) == ["translation"]
    with pytest.raises(WrongMethod, match="Choose one of: word_swap, back_translation"):
        project_runs.start(judges, [corpus], method="translation")
    with pytest.raises(WrongMethod, match="Choose one of: translation"):
        project_runs.start(translates, [corpus], method="word_swap")
    elsewhere = {"language": "fr", "forward": "our/translator"}
    with pytest.raises(WrongLanguage, match="translates into de"):
        project_runs.start(translates, [corpus], method="translation", settings=elsewhere)
    [run] = project_runs.start(translates, [corpus], method="translation")
    with pytest.raises(WrongMethod):
        project_runs.add(judges, run, by=None)
    assert list(judges.runs.all()) == []


def test_the_command_starts_translations_and_a_preview_shows_them_whole(monkeypatch):
    project, corpus = translating.study(), fake.corpus(25, "English")
    output = StringIO()
    options = ["--method=translation", "--preview", "--wait", f"--corpus={corpus.name}"]
    call_command("generate", f"--project={project.name}", *options, stdout=output)
    assert "Auf Deutsch: sentence number 1" in output.getvalue()
    run = GenerationRun.objects.get()
    shown = selectors.preview(run)
    assert {each.heading for row in shown.rewritten for each in row.candidates} == {"de"}
    assert len(shown.rewritten[1].candidates[0].after) == 1
    manager = client_of(project)
    for address in (page("generation_runs", project), page("run", project, run.public_id)):
        text = re.sub("<[^>]*>", "", manager.get(address).content.decode())
        assert "andidate" not in text
    with pytest.raises(CommandError, match="has no use for translation"):
        call_command("generate", f"--project={make.study().name}", *options)
    assert methods.named("translation") is translation.METHOD


def test_a_run_translates_into_the_language_of_the_project_or_back_from_it():
    project = translating.study()
    project.translation_plan.language = "fr"
    project.translation_plan.save()
    there = {"forward": "Helsinki-NLP/opus-mt-en-fr"}
    [forth] = project_runs.start(
        project, [fake.corpus(5, "English")], method="translation", settings=there
    )
    assert forth.settings["language"] == "fr"
    french = fake.corpus(5, "French")
    Corpus.objects.filter(pk=french.pk).update(language="fr")
    french.refresh_from_db()
    back = {"forward": "Helsinki-NLP/opus-mt-fr-en", "language": "en"}
    [home] = project_runs.start(project, [french], method="translation", settings=back)
    assert home.settings["language"] == "en"


def test_the_page_of_new_runs_offers_what_the_project_has_a_use_for():
    translates, judges = translating.study(), make.study()
    manager = make.person(translates, role="manager").user
    projects.add_member(judges, manager, role="manager")
    project_runs.start(translates, [fake.corpus(5, "English")], method="translation")
    client = signed_in(manager)
    shown = client.get(reverse("new_run", args=[translates.public_id]))
    assert "Each sentence in another language." in shown.content.decode()
    assert shown.context["form"]["language"].value() == "de"
    refused = reverse("new_run", args=[judges.public_id]) + "?method=translation"
    assert client.get(refused).status_code == 404
