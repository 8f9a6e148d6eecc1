"""A release has the rows of one moment, whatever arrives between the queries that read them."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.db import connection, connections

from annotation.pairs.services import intake
from generation.models import Candidate
from releases.dataset.verification import verify
from releases.models import ReleasePreview
from releases.services import drafts, publication
from releases.services.builds import PREVIEWS
from support.studies import freeze_version
from tests.annotation import judged, make, translating

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
ROUNDS = 8
OF_ALL_ROWS = {"unlabeled_dev": 0, "dev": 0.2, "test": 0.2}


@contextmanager
def meanwhile(steps):
    """Another connection does a step before each query that follows the first of a transaction.

    Fails if steps are left at the end: then fewer queries were made than expected.
    """
    left, has_begun = list(steps), False

    def execute(run, sql, params, many, context):
        nonlocal has_begun
        if has_begun and left:
            elsewhere.submit(left.pop(0)).result(timeout=30)
        result = run(sql, params, many, context)
        has_begun = has_begun or (connection.in_atomic_block and "SELECT" in str(sql))
        return result

    with ThreadPoolExecutor(1) as elsewhere:
        with connection.execute_wrapper(execute):
            yield
        elsewhere.submit(connections.close_all).result()
    assert not left


def judged_study(protocol):
    """A project with decided pairs and some that lack one answer, and steps that change them.

    In each step, a pair is decided, answers are given and undone, and candidates come.
    """
    project = make.study(protocol=protocol)
    *others, last = judged.people(project, project.judgments_per_pair)
    make.pairs(project, 8)
    for member in (*others, last):
        make.judge_all(member, 1)
    texts = [(f"Ada met Bo in town {n}.", f"Bo met Ada in town {n}.") for n in range(4 * ROUNDS)]
    make.candidates(project, texts)
    make.pairs(project, ROUNDS)
    for member in others:
        make.judge_all(member, 1)
    run, corrector = project.runs.order_by("pk").first(), make.person(project)
    corrections = [("reject", "undo"), ("reject", ""), ("accept", "")]

    def step():
        make.judge_next(last)
        if make.undo(others[0]):
            make.judge_next(others[0], 0)
        for action, then in corrections if project.corrected_methods else []:
            make.correct_next(corrector, action)
            if then:
                make.undo(corrector, "correct")
        another_batch(project, run)

    return project, [step] * ROUNDS


def another_batch(project, run):
    batch = run.batches.order_by("number").last()
    batch.pk, batch.number = None, batch.number + 1
    batch.save()
    sentence = Candidate.objects.filter(run=run)[0].sentence
    text = f"Bo and Ada met, it says in batch {batch.number}."
    Candidate.objects.create(
        run=run, batch=batch, sentence=sentence, text=text, rank=batch.number, similarity=1.0,
        inversion_rate=0.1,
    )  # fmt: skip
    intake.take_in(project)


def translation_study(folder):
    """A translated study; in each step one translation is fixed, and a machine begins."""
    study = translating.of_release(translating.pairs(ROUNDS), people=2, validated_share=1.0)
    publication.write_files(study.translation_source.release, folder)
    translating.translate_all(study)
    validator, _ = translating.people(study)

    def step():
        translating.validate_next(validator, "fix", f"Satz {study.runs.count()}.")
        settings = {"language": "de", "forward": f"model {study.runs.count()}"}
        run = {"method": "translation", "settings": settings, "seed": 1}
        corpus = study.items.first().sentence1.corpus
        study.runs.create(corpus=corpus, model_identities={"forward": settings}, **run)

    return study, [step] * ROUNDS


def content(release):
    """What a release was planned with, but its version and its time."""
    facts = {name: value for name, value in release.facts.items() if name != "citation"}
    columns = ("position", "public_id", "votes", "label", "kept", "subset", "split", "via")
    people = release.pseudonyms.order_by("annotator").values_list("annotator", flat=True)
    return [
        facts | {"version": ""},
        release.settings,
        release.left_out,
        list(release.examples.order_by("position").values_list(*columns)),
        list(release.lines.order_by("file", "position").values_list("file", "text")),
        list(people),
    ]


def anonymous(rows):
    """The rows without pseudonyms, which are others in each release."""
    return re.sub(r"annotator-[0-9a-f]{16}", "annotator", repr(rows))


@pytest.mark.parametrize("protocol", ["paws", "parade"])
def test_what_arrives_while_a_release_is_read_is_not_in_it(protocol, tmp_path):
    project, steps = judged_study(protocol)
    before = freeze_version(project, version="1.0", **OF_ALL_ROWS)
    counts = publication.write_files(before, tmp_path / "before")["counts"]
    with meanwhile(steps):
        release = freeze_version(project, version="1.1", **OF_ALL_ROWS)
        written = publication.write_files(release, tmp_path / "first")
    assert content(release) == content(before)
    assert written["counts"] == counts
    assert publication.write_files(release, tmp_path / "again") == written
    assert verify(tmp_path / "first") == []
    assert content(freeze_version(project, version="1.2", **OF_ALL_ROWS)) != content(before)


def test_what_arrives_while_a_translation_is_read_is_not_in_its_release(tmp_path):
    study, steps = translation_study(tmp_path / "source")
    before = freeze_version(study, version="1.0", accepts_errors=True)
    counts = publication.write_files(before, tmp_path / "before")["counts"]
    with meanwhile(steps):
        release = freeze_version(study, version="1.1", accepts_errors=True)
        written = publication.write_files(release, tmp_path / "first")
    assert anonymous(content(release)) == anonymous(content(before))
    assert written["counts"] == counts
    assert publication.write_files(release, tmp_path / "again") == written
    assert verify(tmp_path / "first", tmp_path / "source") == []
    later = freeze_version(study, version="1.2", accepts_errors=True)
    assert anonymous(content(later)) != anonymous(content(before))


def test_what_arrives_while_a_draft_is_previewed_is_not_in_its_preview():
    project, steps = judged_study("paws")
    draft = drafts.create_draft(project, version="1.0", **OF_ALL_ROWS)
    assert PREVIEWS.do_next()
    before = ReleasePreview.objects.get().content
    drafts.request_preview(draft)
    with meanwhile(steps[:4]):
        assert PREVIEWS.do_next()
    assert ReleasePreview.objects.get().content == before
