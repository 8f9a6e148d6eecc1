"""Translation studies of a frozen release: by service, command, page and REST; their report."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.errors import Refused
from annotation.imports.services import corpora
from annotation.models import Item, Project, Role, TranslatedPair
from annotation.pairs.labelled_lines import GoldPair
from annotation.quality.services import gold_pairs, qualification
from releases.translations import services as translations
from releases.translations.selectors import pairs_of
from support.studies import freeze_version
from tests.annotation import judged, make, translating
from tests.annotation.pages import page, signed_in

pytestmark = pytest.mark.django_db
FORM = {"name": "Rivers in German", "language": "de", "validated_share": "50", "seed": "3"}


@pytest.fixture(scope="module")
def release(module_db):
    """Forty pairs, of which four are the dev set and ten the test set."""
    project = make.study(protocol="parade")
    judged.pairs(project, [(3, 3, 2), (0, 1, 1)] * 20, by=judged.people(project, 3))
    return freeze_version(project, version="1.0", dev=0.1, test=0.25)


@pytest.fixture
def manager(release):
    member = make.person(release.project, role=Role.MANAGER)
    member.user.may_create_projects = True
    member.user.save()
    return signed_in(member.user)


def texts_of(project):
    items = Item.objects.filter(project=project, kind="translate")
    return set(items.values_list("sentence1__text", flat=True))


def both_texts(pairs):
    return {text for pair in pairs for text in (pair.sentence1, pair.sentence2)}


def test_each_distinct_sentence_of_dev_and_test_is_to_translate_and_train_is_a_corpus(release):
    project = translations.create(release, name="German", language="de")
    pairs = {each.public_id: each for split in ("dev", "test") for each in pairs_of(release, split)}
    assert len(pairs) == 14
    rows = TranslatedPair.objects.filter(project=project).select_related("item1__sentence1")
    assert {row.public_id for row in rows} == pairs.keys()
    assert texts_of(project) == both_texts(pairs.values())
    for row in rows:
        assert row.item1.sentence1.text == pairs[row.public_id].sentence1
    plan = project.translation_plan
    assert (plan.source_language, plan.language) == ("en", "de")
    train = project.translation_source.train
    of_train = set(train.sentence_set.values_list("text", flat=True))
    assert of_train == both_texts(pairs_of(release, "train"))
    assert not of_train & texts_of(project)
    again = translations.create(release, name="French", language="fr")
    assert again.translation_source.train == train


def test_a_smaller_number_draws_whole_families_by_the_seed(release):
    drawn = [
        translations.create(release, name=f"{n}", language="de", dev=2, test=5, seed=seed)
        for n, seed in enumerate([1, 1, 2])
    ]
    assert [each.translated_pairs.count() for each in drawn] == [7, 7, 7]
    assert texts_of(drawn[0]) == texts_of(drawn[1]) != texts_of(drawn[2])


def test_a_language_that_is_none_or_that_of_the_release_is_refused(release):
    for language in ("en", "en-GB", "EN", "german", "", "d"):
        with pytest.raises(Refused):
            translations.create(release, name="Study", language=language)
    assert not Project.objects.filter(name="Study").exists()


def test_a_release_without_dev_and_test_is_refused(release):
    release = freeze_version(release.project, version="1.1", dev=0, test=0)
    with pytest.raises(Refused, match="no pairs in dev or test"):
        translations.create(release, name="Study", language="de")


def test_the_command_makes_a_study_and_names_what_is_missing(release):
    out = StringIO()
    options = {"protocol": "translation", "release": "1.0", "language": "de", "test": 3}
    call_command("create_project", "German", stdout=out, **options)
    assert "Created the project German" in out.getvalue()
    assert "sentences of 7 pairs" in out.getvalue()
    assert Project.objects.get(name="German").translated_pairs.count() == 7
    with pytest.raises(CommandError, match="--release and --language"):
        call_command("create_project", "Study", protocol="translation", release="1.0")


def test_a_form_on_the_release_creates_the_study_which_the_release_then_lists(release, manager):
    at = page("translate_release", release.project, release.public_id)
    for wrong in ({"language": "en"}, {"name": release.project.name}):
        assert manager.post(at, FORM | wrong).status_code == 422, wrong
    assert manager.post(at, FORM | {"language": "German"}).status_code == 302
    project = Project.objects.get(name=FORM["name"])
    assert (project.kinds, project.seed) == (["translate", "validate"], 3)
    plan = project.translation_plan
    assert (plan.language, plan.validated_share) == ("de", 0.5)
    shown = manager.get(page("release", release.project, release.public_id)).content.decode()
    assert page("translations", project) in shown
    assert (
        "Choose a release to translate" in manager.get(page("overview", project)).content.decode()
    )


def test_a_draft_says_that_the_files_of_what_is_translated_are_missing(release, manager):
    study = translations.create(release, name="German", language="de", managers=[])
    study.memberships.create(user=release.project.memberships.get(role=Role.MANAGER).user)
    study.memberships.update(role=Role.MANAGER)
    reply = manager.get(page("draft_release", study), follow=True)
    assert reply.redirect_chain == [(page("releases", study), 302)]
    assert f"The files of {release}, which this project translates, are missing." in reply.text
    assert "An administrator can write them again" in reply.text


def test_rest_creates_a_study_reads_its_figures_and_delivers_it(release, manager):
    at = f"/api/projects/{release.project.public_id}/translations/"
    sent = {"release": str(release.public_id), "name": "Rivers", "language": "de", "dev": 4}
    created = manager.post(at, sent, content_type="application/json")
    assert created.status_code == 201, created.content
    project = Project.objects.get(name="Rivers")
    assert created.json()["project"] == str(project.public_id)
    twice = manager.post(at, sent | {"seed": 1}, content_type="application/json")
    assert twice.json()["errors"][0]["attr"] == "name"
    delivery = f"/api/projects/{project.public_id}/translations/delivery/"
    refused = manager.post(delivery)
    assert (refused.status_code, "not translated yet" in refused.content.decode()) == (409, True)
    make.spare(project, 6)
    translating.translate_all(project)
    translating.validate_all(project)
    assert manager.post(delivery).json()["corpus"] == "Rivers (de)"
    [figures] = manager.get(at).json()
    assert figures["done"]["sentences"] == figures["all"]["sentences"] > 0
    assert (figures["missing"], figures["word_error_rate"]["rate"]) == ([], 0.0)


def test_whatever_only_a_study_of_judgments_can_use_is_refused(release):
    project = translations.create(release, name="Rivers", language="de")
    run = release.project.runs.get()
    boss = make.person(project, role=Role.MANAGER).user
    pair = GoldPair("A bird sang.", "A bird sings.", 1)
    for act in (
        lambda: corpora.add(project, run.corpus, by=boss),
        lambda: gold_pairs.add(project, [pair]),
        lambda: qualification.add(project, [pair]),
    ):
        with pytest.raises(Refused, match="No one judges pairs"):
            act()


def test_the_report_has_the_counts_of_pairs_with_both_sentences_translated(release):
    project = translations.create(release, name="Rivers", language="de")
    make.spare(project, 6)
    translating.translate_all(project)
    out = StringIO()
    call_command("report", project=project.name, stdout=out)
    lines = [line.split() for line in out.getvalue().splitlines()]
    [test] = [line for line in lines if line[:1] == ["test"]]
    assert test[1] == test[2] != "0"
    call_command("report", project=project.name, json=True, stdout=out)
