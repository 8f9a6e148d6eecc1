"""Translate-test by the packaged translator, as in docs/researcher/translation.md."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.models import Project
from generation.models import Method
from releases.selectors.releases import folder_of
from releases.services import builds, frozen
from tests.annotation import judged, make, pages, translating
from tests.generation.conftest import packaged_models, translators  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("packaged_models")]
PORTUGUESE = {
    "singer": "cantor", "painter": "pintor", "doctor": "médico", "teacher": "professor",
    "farmer": "agricultor", "lawyer": "advogado", "baker": "padeiro", "poet": "poeta",
    "soldier": "soldado", "king": "rei", "student": "aluno", "pilot": "piloto",
}  # fmt: skip
STUDY = "Letters in Portuguese"


def pair(number, nouns, first, second):
    """Return two sentences; in every second pair the people change places."""
    year, one, two = 1900 + number, nouns[number % 12], nouns[(number + 1) % 12]
    changed = (two, one) if number % 2 else (one, two)
    return first.format(year, one, two), second.format(year, *changed)


ENGLISH = [
    pair(number, [*PORTUGUESE], "In {} the {} thanked the {}.", "The {1} thanked the {2} in {0}.")
    for number in range(24)
]
SAME_IN_PORTUGUESE = ("Em {} o {} agradeceu ao {}.", "O {1} agradeceu ao {2} em {0}.")
TRANSLATED = [pair(number, [*PORTUGUESE.values()], *SAME_IN_PORTUGUESE) for number in range(24)]


@pytest.fixture
def source(tmp_path):
    """The folder of a release of the English pairs."""
    project = make.study()
    Project.objects.filter(pk=project.pk).update(name="Letters")
    make.candidates(project, ENGLISH, method=Method.BACK_TRANSLATION)
    judges, at = judged.people(project, 5), timezone.now() - timedelta(minutes=30)
    for number, item in enumerate(project.pairs.order_by("pk")):
        judged.give(item, [1 - number % 2] * 5, by=judges, at=at)
    with pages.release_folder(tmp_path / "releases"):
        release = frozen.propose_release(project, version="1.0", dev=6, test=8)
        builds.build(release)
        yield folder_of(release)


@pytest.fixture
def translated(source, tmp_path):
    """The folder of its translation, dev and test by people, and all by the packaged translator."""
    options = ("--project", "Letters", "--release", "1.0", "--language", "pt")
    call_command("create_project", STUDY, "--protocol", "translation", *options)
    translate("Letters 1.0: train", "forward=firefox-en-pt")
    answer_all(Project.objects.get(name=STUDY))
    call_command("deliver_translations", "--project", STUDY)
    translate(f"{STUDY} (pt)", "forward=firefox-pt-en", "--set", "language=en")
    folder = tmp_path / "pt"
    call_command("build_release", "--project", STUDY, "--release", "1.0", "--output", folder)
    return folder


def translate(corpus, *settings):
    options = ("--corpus", corpus, "--project", STUDY, "--method", "translation", "--wait")
    call_command("generate", *options, "--set", *settings)


def answer_all(project):
    portuguese = {
        english: text
        for pair, texts in zip(ENGLISH, TRANSLATED, strict=True)
        for english, text in zip(pair, texts, strict=True)
    }
    members = [make.person(project) for _ in range(3)]
    for member in members:
        while shown := translating.turn(member).shown:
            translating.translate_next(member, portuguese[shown.sentences[0]])
    translating.validate_all(project)


def test_baselines_are_scored_on_portuguese_test_sentences_in_english(source, translated, tmp_path):
    call_command("verify_release", str(translated), "--source", source)
    options = ("--experiment", "regimes", "--models", "overlap,bow", "--seeds", "1")
    call_command("evaluate", source, translated, *options, "--out", tmp_path / "evaluation")
    evaluation = json.loads((tmp_path / "evaluation/evaluation.json").read_text())
    figures = evaluation["experiments"]["regimes"]["figures"]
    assert figures["missing"] == []
    overlap, _ = figures["models"]
    assert overlap["regimes"]["translate_test"]["pt"]["accuracy"]["mean"] == 1
    rows = (translated / "translate_test/test.tsv").read_text().splitlines()[1:]
    assert len(rows) == sum(row.count("thanked the") == 2 for row in rows) == 8
