"""What a release consists of is decided once; its files come out the same until it is withdrawn."""

import json

import pytest
from django.core.exceptions import ValidationError

from annotation.errors import AnnotationError
from annotation.models import Example, Release
from annotation.selectors import published
from annotation.selectors.releases import folder_of
from annotation.services import releases
from annotation.services.releases import ChangedRelease, Unchangeable, Unwritable
from annotation.services.releases.freezing import LostRelease
from tests.annotation import cast, judged
from tests.annotation.frozen import plan_of

pytestmark = pytest.mark.django_db
WHY = "Two sentences were not free."


@pytest.fixture(scope="module")
def project(module_db):
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


@pytest.fixture
def published_release(draft):
    releases.queue(draft)
    assert releases.build_next()
    return Release.objects.get()


def files(folder):
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def lines(folder, name):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def test_a_release_holds_judged_and_recombined_pairs(project, tmp_path):
    release = releases.freeze(project, version="1.0")
    releases.write(release, tmp_path / "a")
    pairs = lines(tmp_path / "a", "pairs.jsonl")
    assert [pair["origin"] for pair in pairs].count("judged") == 7
    recombined = [pair["label"] for pair in pairs if pair["origin"] == "recombined"]
    assert recombined == [0, 0, 0]
    assert [pair["subset"] for pair in pairs].count("labeled_swap") == 1
    planned = plan_of(release)
    assert len(planned.pairs) == 10
    silver = {pair.method for pair in planned.silver}
    assert silver == {"word_swap", "back_translation", "recombined"}


def test_a_later_build_gives_the_same_bytes_or_is_refused(project, tmp_path):
    release = releases.freeze(project, version="1.0", seed=5)
    releases.write(release, tmp_path / "a")
    cast.pairs(project, 1)
    for _ in range(5):
        cast.judge_by_method(cast.person(project))
    releases.write(release, tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")
    Example.objects.filter(release=release, label=0).first().delete()
    with pytest.raises(ChangedRelease, match=r"pairs\.jsonl"):
        releases.write(release, tmp_path / "c")


def test_people_appear_under_other_pseudonyms_in_each_release(project, tmp_path):
    release, later = (releases.freeze(project, version=version) for version in ("1.0", "1.1"))
    releases.write(release, tmp_path / "a")
    judges = {line["annotator"] for line in lines(tmp_path / "a", "judgments.jsonl")}
    assert judges == set(release.pseudonyms.values_list("name", flat=True))
    assert len(judges) == 5
    assert judges.isdisjoint(later.pseudonyms.values_list("name", flat=True))
    everything = b"".join(files(tmp_path / "a").values())
    for member in project.memberships.select_related("user"):
        assert member.user.username.encode() not in everything
        assert str(member.user.public_id).encode() not in everything


def test_a_version_is_fit_for_a_folder_and_frozen_once(project, subtests):
    releases.freeze(project, version="1.0")
    for version in ("1.0", "", "../1", "a b", ".hidden", "x" * 60):
        with subtests.test(version=version), pytest.raises(ValidationError):
            releases.freeze(project, version=version)


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


def test_a_draft_is_not_written_nor_frozen_once_somebody_else_queued_it(draft, tmp_path):
    with pytest.raises(ValueError, match="is not frozen"):
        releases.write(draft, tmp_path / "a")
    releases.queue(Release.objects.get())
    with pytest.raises(LostRelease):
        releases.freeze_draft(draft)
    assert not Example.objects.exists()


def test_a_withdrawn_release_loses_its_files_and_keeps_its_row_and_version(published_release):
    release = published_release
    manager = cast.person(release.project).user
    releases.withdraw(release, by=manager, reason=WHY)
    gone = Release.objects.get()
    assert (gone.state, gone.withdrawal_reason, gone.withdrawn_by) == ("withdrawn", WHY, manager)
    assert gone.manifest["files"]
    assert not folder_of(release).exists()
    assert published.archive_entry(release) is None
    assert not published.archive_of(release).exists()
    with pytest.raises(ValidationError, match="already exists"):
        releases.draft(release.project, version="1.0")


def test_a_withdrawn_release_is_not_written_again_and_its_first_reason_stays(
    published_release, tmp_path
):
    releases.withdraw(published_release, by=None, reason=WHY)
    with pytest.raises(Unwritable, match="not free"):
        releases.write(published_release, tmp_path / "again")
    folder_of(published_release).mkdir()
    releases.withdraw(published_release, by=None, reason="Another.")
    assert Release.objects.get().withdrawal_reason == WHY
    assert not folder_of(published_release).exists()


def test_only_a_published_release_is_withdrawn_and_only_with_a_reason(published_release):
    with pytest.raises(AnnotationError, match="without a reason"):
        releases.withdraw(published_release, by=None, reason=" ")
    assert published.is_whole(published_release)
    other = releases.draft(published_release.project, version="2.0")
    with pytest.raises(Unchangeable):
        releases.withdraw(other, by=None, reason=WHY)
