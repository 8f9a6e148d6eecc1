"""What a release consists of is decided once; its files come out the same each time."""

import json

import pytest
from django.core.exceptions import ValidationError

from annotation.models import Example, Release
from annotation.services import releases
from annotation.services.releases import ChangedRelease
from annotation.services.releases.freezing import LostRelease
from tests.annotation import cast, judged
from tests.annotation.frozen import plan_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    """Four sources with a corrected swap each, three with a back translation; all judged."""
    project = cast.study(guidelines="Judge the *meaning*.")
    swaps = [(f"Mara {n} met Tobias.", f"Tobias met Mara {n}.") for n in range(4)]
    cast.candidates(project, swaps)
    corrector = cast.person(project, may_judge=False)
    for _ in range(4):
        cast.correct_next(corrector)
    back = [(source, f"Tobias was met by Mara {n}.") for n, (source, _) in enumerate(swaps[:3])]
    cast.candidates(project, back, method="back_translation")
    for _ in range(5):
        cast.judge_by_method(cast.person(project))
    return project


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def lines(folder, name):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def test_a_release_holds_judged_and_recombined_pairs(project, tmp_path):
    release = releases.freeze(project, version="1.0")
    releases.write(release, tmp_path / "a")
    pairs = lines(tmp_path / "a", "pairs.jsonl")
    assert sum(pair["origin"] == "judged" for pair in pairs) == 7
    assert sum(pair["origin"] == "recombined" for pair in pairs) == 3
    assert {pair["label"] for pair in pairs if pair["origin"] == "recombined"} == {0}
    assert [pair["subset"] for pair in pairs].count("labeled_swap") == 1


def test_a_second_build_gives_the_same_bytes(project, tmp_path):
    release = releases.freeze(project, version="1.0", seed=5)
    releases.write(release, tmp_path / "a")
    cast.pairs(project, 1)
    for _ in range(5):
        cast.judge_by_method(cast.person(project))
    releases.write(release, tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_a_build_that_differs_from_the_first_is_refused(project, tmp_path):
    release = releases.freeze(project, version="1.0")
    releases.write(release, tmp_path / "a")
    Example.objects.filter(release=release, label=0).first().delete()
    with pytest.raises(ChangedRelease, match=r"pairs\.jsonl"):
        releases.write(release, tmp_path / "b")


def test_frozen_rows_hold_the_whole_plan(project):
    release = releases.freeze(project, version="1.0")
    planned = plan_of(release)
    assert len(planned.pairs) == 10
    assert {pair.method for pair in planned.silver} == {
        "word_swap",
        "back_translation",
        "recombined",
    }


def test_people_appear_under_pseudonyms_only(project, tmp_path):
    release = releases.freeze(project, version="1.0")
    releases.write(release, tmp_path / "a")
    judges = {line["annotator"] for line in lines(tmp_path / "a", "judgments.jsonl")}
    assert len(judges) == 5
    everything = b"".join(files(tmp_path / "a").values())
    for member in project.memberships.select_related("user"):
        assert member.user.username.encode() not in everything
        assert str(member.user.public_id).encode() not in everything


def test_pseudonyms_differ_between_releases(project):
    first, second = (releases.freeze(project, version=version) for version in ("1.0", "1.1"))
    names = set(first.pseudonyms.values_list("name", flat=True))
    assert names.isdisjoint(second.pseudonyms.values_list("name", flat=True))


@pytest.mark.parametrize("version", ["", "../1", "a b", ".hidden", "x" * 60])
def test_a_version_must_be_fit_for_a_folder(project, version):
    with pytest.raises(ValidationError):
        releases.freeze(project, version=version)


def test_a_version_is_frozen_once(project):
    releases.freeze(project, version="1.0")
    with pytest.raises(ValidationError):
        releases.freeze(project, version="1.0")


def test_a_fix_back_to_the_source_is_released_for_training_only(tmp_path):
    project = cast.study()
    cast.candidates(project, [(f"Mara {n} met Tobias.", f"Tobias met {n}.") for n in range(30)])
    corrector = cast.person(project, may_judge=False)
    for n in range(30):
        cast.correct_next(corrector, "fix", f"Mara {n} met Tobias.")
    judged.all_that_is_open(project, [1] * 5)
    releases.write(releases.freeze(project, version="1"), tmp_path / "a")
    pairs = lines(tmp_path / "a", "pairs.jsonl")
    assert {pair["split"] for pair in pairs} <= {"train", None}


def test_a_draft_has_no_files_before_it_is_frozen(project, tmp_path):
    draft = releases.draft(project, version="1.0")
    with pytest.raises(ValueError, match="is not frozen"):
        releases.write(draft, tmp_path / "a")


def test_a_draft_that_somebody_else_has_queued_is_not_frozen(project):
    draft = releases.draft(project, version="1.0", dev=0, test=0, unlabeled_dev=0)
    releases.queue(Release.objects.get())
    with pytest.raises(LostRelease):
        releases.freeze_draft(draft)
    assert not Example.objects.exists()
