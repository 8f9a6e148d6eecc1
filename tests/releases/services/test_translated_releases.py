"""A release of a translation study, from its answers to its verified files."""

import json
from collections import Counter
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.runs import services as runs
from annotation.translations.services import delivery, validation
from generation.methods import model_loaders
from generation.nlp.back_translation import Translation
from releases.dataset.verification import verify
from releases.models import Release, ReleasePreview
from releases.selectors.lineage import lineages
from releases.selectors.releases import folder_of, next_metadata
from releases.services import builds, drafts, frozen, pseudonyms, publication
from releases.services.builds import BUILDS, PREVIEWS
from releases.translations import services as translations
from support.workers import work_until_idle
from tests.annotation import judged, make, pages, translating
from tests.annotation.pages import client_of, page

pytestmark = pytest.mark.django_db


class Dictionary:
    """A translator without a model, in both directions."""

    identity = {"name": "dictionary", "sha256": "ab" * 32}

    def translate(self, texts, k):
        known = "Auf Deutsch: "
        return [
            (Translation(text.removeprefix(known) + "." if known in text else known + text, -1.0),)
            for text in texts
        ]


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A release of twenty pairs, whose dev and test three people may translate into German."""
    use_dictionary(monkeypatch)
    with pages.release_folder(tmp_path):
        release = built_source(pairs=20)
        study = translations.create(release, name="German", language="de")
        for _ in range(3):
            make.person(study)
        validate_share(study, 0.0)
        yield study


def use_dictionary(monkeypatch):
    monkeypatch.setattr(model_loaders, "load_translator", lambda name, **_: Dictionary())
    monkeypatch.setattr(model_loaders, "identify_translator", lambda name: Dictionary.identity)


def built_source(*, pairs):
    """A release of that many pairs, of which a tenth is the dev set, and a quarter the test set."""
    project = make.study(protocol="parade")
    judged.pairs(project, [(3, 3, 2), (0, 1, 1)] * (pairs // 2), by=judged.people(project, 3))
    release = frozen.propose_release(project, version="1.0", dev=0.1, test=0.25)
    builds.build(release)
    return release


def validate_share(study, share):
    study.translation_plan.validated_share = share
    study.translation_plan.least_validated = 0
    study.translation_plan.save()


def source_of(study):
    return study.translation_source.release


def translate_all(study, **first):
    """Everybody translates what they may; `first` is the answer to the first sentence."""
    for member in translating.people(study):
        while translating.turn(member).shown is not None:
            translating.translate_next(member, **first)
            first = {}


def validate_all(study, *answers):
    """Validate what waits with these answers, then accept."""
    given = list(answers)
    for member in translating.people(study):
        while translating.turn(member, "validate").shown is not None:
            action, text = given.pop(0) if given else ("accept", "")
            translating.validate_next(member, action, text)


def translate_by_machine(study):
    """Train into German, and the delivered translations back into English."""
    runs.start(study, [study.translation_source.train], method="translation")
    settings = {"language": "en", "forward": "dictionary"}
    runs.start(study, [delivery.deliver(study)], method="translation", settings=settings)
    work_until_idle()


def translated(study):
    return study.slots.filter(kind="translate", action="translate")


def built(study, **choices):
    release = frozen.propose_release(study, version="1.0", **choices)
    builds.build(release)
    return release


@pytest.mark.both_engines
def test_a_study_becomes_a_release_that_verifies_against_its_source(study):
    validate_share(study, 1.0)
    translate_all(study)
    validate_all(study)
    translate_by_machine(study)
    release = built(study)
    folder = folder_of(release)
    assert verify(folder, folder_of(source_of(study))) == []
    manifest = json.loads((folder / "manifest.json").read_text())
    tables = manifest["counts"]["subsets"]
    sizes = {split: part["pairs"] for split, part in tables["translated"].items()}
    assert sizes == {"train": 13, "dev": 2, "test": 5}
    back = {split: part["pairs"] for split, part in tables["translate_test"].items()}
    assert back == {"dev": 2, "test": 5}
    assert manifest["word_errors"]["overall"]["rate"] == 0
    assert {model["method"] for model in manifest["models"]} == {"translation"}
    names = set(release.pseudonyms.values_list("name", flat=True))
    assert manifest["word_errors"]["translators"].keys() <= names
    text = "".join(path.read_text() for path in folder.glob("*.jsonl"))
    assert not any(f'"{member.user.username}"' in text for member in translating.people(study))


@pytest.mark.both_engines
def test_a_release_verifies_in_two_languages_for_the_pairs_that_were_drawn(tmp_path, monkeypatch):
    use_dictionary(monkeypatch)
    with pages.release_folder(tmp_path):
        source = built_source(pairs=40)
        for language in ("de", "fr"):
            study = translations.create(source, name=language, language=language, dev=2, test=8)
            people = {"project": language, "annotators": 6, "accuracy": 1.0, "seed": 1}
            call_command("simulate_annotators", **people, stdout=StringIO())
            opus = {"language": language, "forward": f"opus-mt-en-{language}"}
            runs.start(study, [study.translation_source.train], method="translation", settings=opus)
            work_until_idle()
            release = built(study, accepts_errors=True)
            assert verify(folder_of(release), folder_of(source)) == []
            tables = release.manifest["counts"]["subsets"]["translated"]
            sizes = Counter({split: part["pairs"] for split, part in tables.items()})
            for ids in release.manifest["left_out"].values():
                sizes.update({split: len(some) for split, some in ids.items()})
            assert sizes == {"train": 26, "dev": 2, "test": 8}


def test_each_translation_leads_back_to_its_source_sentence(study):
    translate_all(study)
    translate_by_machine(study)
    release = built(study, accepts_errors=True)
    source = {pair.public_id: pair for pair in source_of(study).examples.all()}
    by_people, by_machine = (release.examples.filter(split=split)[0] for split in ("dev", "train"))
    for example in (by_people, by_machine):
        assert example.sentence1 == translating.german(source[example.public_id].sentence1)
    pair = source[by_people.public_id]
    origins = [[each.source for each in lineages(some)] for some in (by_people, pair)]
    assert origins[0] == origins[1]
    pair, found = source[by_machine.public_id], lineages(by_machine)
    assert [each.source.text for each in found] == [pair.sentence1, pair.sentence2]
    refs = [str(pair.sentence1_ref), str(pair.sentence2_ref)]
    assert [each.source.external_id for each in found] == refs
    assert [step.run.method for each in found for step in each.steps] == ["translation"] * 2


@pytest.mark.both_engines
def test_it_is_written_again_as_it_was_whatever_people_did_since(study):
    translate_all(study)
    release = built(study, accepts_errors=True)
    before = (folder_of(release) / "sentences.jsonl").read_bytes()
    translated(study).update(text="Etwas anderes.")
    publication.remove_files(release)
    publication.publish(Release.objects.get(pk=release.pk))
    assert (folder_of(release) / "sentences.jsonl").read_bytes() == before
    publication.withdraw(release, by=None, reason="A trial.")
    with pytest.raises(publication.Unwritable):
        publication.publish(Release.objects.get(pk=release.pk))


def test_it_is_refused_with_reasons_while_work_waits_or_errors_are_too_many(study):
    validate_share(study, 1.0)
    with pytest.raises(ValueError, match="14 sentences are not translated yet"):
        built(study)
    translate_all(study)
    with pytest.raises(ValueError, match="14 translations wait for validation"):
        built(study)
    validate_all(study, *[("fix", "Ganz anders gesagt ist es so.")] * 5)
    assert built(study).manifest["word_errors"]["overall"]["rate"] > 0.05


def test_errors_in_translations_that_nobody_looked_at_need_a_word_on_record(study):
    translate_all(study)
    texts = study.slots.filter(kind="translate").select_related("item", "project")
    validation.put_up(list(texts.order_by("pk")[:3]))
    member = translating.people(study)[0]
    with pytest.raises(ValueError, match="3 translations wait for validation"):
        built(study)
    validate_all(study, *[("fix", "Ganz anders.")] * 2)
    assert study.slots.filter(kind="validate", action="fix").count() == 2
    with pytest.raises(
        ValueError, match=r"(?s)The word error rate of .* is not below 5\.0 %.*accept"
    ):
        built(study)
    draft = drafts.create_draft(study, version="1.0", accepts_errors=True, by=member.user)
    assert draft.settings["accepts_errors"]
    drafts.queue_draft(draft)
    assert BUILDS.do_next()
    draft.refresh_from_db()
    assert draft.manifest["settings"]["accepts_errors"] is True


def test_the_form_starts_with_the_licence_of_the_source_and_the_language_of_the_translations(study):
    source = source_of(study)
    source.metadata = {"licence": "CC-BY-4.0", "languages": ["en"]}
    source.save()
    found = next_metadata(study)
    assert (found.licence, found.languages) == ("CC-BY-4.0", ("de",))
    form = client_of(study).get(page("draft_release", study)).context["form"]
    assert list(form.fields) == ["version", "accepts_errors"]


def test_a_preview_says_what_is_missing_and_then_what_it_would_hold(study):
    draft = drafts.create_draft(study, version="1.0", accepts_errors=True)
    PREVIEWS.do_next()
    preview = ReleasePreview.objects.get(release=draft)
    assert preview.state == ReleasePreview.State.IMPOSSIBLE
    assert "14 sentences wait for a translation" in preview.failure
    translate_all(study)
    drafts.request_preview(draft)
    PREVIEWS.do_next()
    client = client_of(study)
    shown = client.get(page("release", study, draft.public_id)).content.decode()
    assert "translated/test.tsv" in shown
    assert "Auf Deutsch: " in shown


def test_the_command_builds_and_names_settings_that_are_not_for_translations(study):
    translate_all(study)
    options = {"project": "German", "release": "1.0", "accept_errors": True}
    with pytest.raises(CommandError, match="The study determines dev"):
        call_command("build_release", dev=3, **options)
    out = StringIO()
    call_command("build_release", stdout=out, **options)
    assert "translated: train 0, dev 2, test 5" in out.getvalue()
    folder = folder_of(Release.objects.get(project=study))
    call_command("verify_release", str(folder), stdout=(out := StringIO()))
    assert "Name the source release with --source" in out.getvalue()
    source = folder_of(source_of(study))
    call_command("verify_release", str(folder), source=source, stdout=(out := StringIO()))
    assert out.getvalue() == f"{folder} is intact.\n"


def test_the_page_of_a_release_shows_sizes_errors_and_what_was_left_out(study):
    translate_all(study, action="incomplete")
    release = built(study, accepts_errors=True)
    reply = client_of(study).get(page("release", study, release.public_id))
    shown = reply.content.decode()
    assert 'id="word-errors"' in shown
    assert "in translation" in shown
    assert "translate_test" not in shown.replace("parquet/", "")  # it has no rows
    assert f"verify_release {release.project}" not in shown
    pseudonyms.forget_pseudonyms(release, by=translating.people(study)[0].user)
    assert client_of(study).get(page("releases", study)).status_code == 200
