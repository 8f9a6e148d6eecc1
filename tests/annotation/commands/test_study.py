"""A small study from candidates to a checked release, by commands alone."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Consensus, Correction, Judgment
from tests.annotation import cast

pytestmark = [pytest.mark.django_db]


SWAPS, BACK = 6, 4


@pytest.fixture
def project():
    project = cast.study()
    swaps = [(f"Mara {n} met Tobias {n}.", f"Tobias {n} met Mara {n}.") for n in range(SWAPS)]
    cast.candidates(project, swaps)
    back = [(source, f"Tobias was met by Mara {n}.") for n, (source, _) in enumerate(swaps[:BACK])]
    cast.candidates(project, back, method="back_translation")
    return project


def simulate(project, **options):
    arguments = {"annotators": 8, "accuracy": 0.95, "seed": 1} | options
    call_command("simulate_annotators", project=project.name, **arguments)


def test_simulated_people_fill_every_pair(project, capsys):
    simulate(project)
    out = capsys.readouterr().out
    pairs = project.pairs.count()
    assert f"{SWAPS} corrections and {5 * pairs} judgments" in out
    assert Consensus.objects.count() == pairs
    assert not Judgment.objects.filter(annotator__is_simulated=False).exists()


def test_simulation_stops_correcting_where_it_is_told(project):
    simulate(project, corrections=5)
    assert Correction.objects.exclude(action=None).count() == 5


def test_the_same_seed_gives_the_same_answers(project):
    simulate(project)
    first = list(Consensus.objects.order_by("pair").values_list("tally", flat=True))
    again = cast.study()
    for run in project.runs.order_by("id"):
        cast.adopt(again, run)
    simulate(again)
    second = Consensus.objects.filter(pair__project=again).order_by("pair")
    assert list(second.values_list("tally", flat=True)) == first


def test_the_report_counts_what_the_rows_say(project, capsys):
    simulate(project, accuracy=1.0)
    capsys.readouterr()
    call_command("report", project=project.name, json=True)
    report = json.loads(capsys.readouterr().out)
    table3 = dict(report["tables"]["Table 3: word swap"])
    assert table3["# Raw pairs"] == str(SWAPS)
    assert table3["  Human agreement"] == "100.0%"
    table4 = dict(report["tables"]["Table 4: back translation"])
    assert table4["Total # back translation pairs"] == str(BACK)
    assert {person["simulated"] for person in report["annotators"]} == {True}


def test_the_report_is_readable(project, capsys):
    simulate(project)
    call_command("report", project=project.name)
    out = capsys.readouterr().out
    assert "Human agreement" in out
    assert "(simulated)" in out


def test_a_release_is_built_and_found_sound(project, tmp_path, capsys):
    simulate(project)
    build = {"project": project.name, "release": "1.0"}
    call_command("build_release", **build, output=tmp_path / "a", archive=tmp_path / "a.tar.gz")
    call_command("verify_release", str(tmp_path / "a"))
    assert "is sound" in capsys.readouterr().out
    call_command("build_release", **build, output=tmp_path / "b", archive=tmp_path / "b.tar.gz")
    manifests = [(tmp_path / name / "manifest.json").read_bytes() for name in "ab"]
    assert manifests[0] == manifests[1]
    assert json.loads(manifests[0])["simulated"] is True


def test_a_damaged_release_is_found_out(project, tmp_path, capsys):
    simulate(project)
    folder = tmp_path / "a"
    call_command("build_release", project=project.name, release="1.0", output=folder)
    (folder / "low_agreement.tsv").unlink()
    with pytest.raises(CommandError, match="differences"):
        call_command("verify_release", str(folder))
    assert "low_agreement.tsv" in capsys.readouterr().out


def test_the_settings_of_a_frozen_version_are_not_chosen_again(project, tmp_path):
    simulate(project)
    call_command("build_release", project=project.name, release="1", output=tmp_path / "a")
    with pytest.raises(CommandError, match="is there"):
        call_command(
            "build_release", project=project.name, release="1", output=tmp_path / "b", seed=3
        )
