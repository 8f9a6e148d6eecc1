"""Pairs that were translated elsewhere enter a translation study as answers of one account."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry
from annotation.errors import Refused
from annotation.models import Item, Translation
from annotation.translations.selectors import results
from annotation.translations.services import studies
from tests.annotation import make, translating

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]

ENGLISH = (
    "id\tsentence1\tsentence2\tlabel\n1\t{}\t{}\t0\n2\t{}\t{}\t1\n3\tIt rains.\tIt snows.\t0\n"
)
GERMAN = """id\tsentence1\tsentence2\tlabel
1\tAda traf Bo in Rom.\tAda traf Bo in Rom.\t0
2\tDie alte Mühle brannte 1921.\tNS\t0
3\tEs regnet.\tEs schneit.\t0
"""


@pytest.fixture
def files(tmp_path):
    texts = [text for pair in translating.PAIRS for text in pair]
    (tmp_path / "en.tsv").write_text(ENGLISH.format(*texts))
    (tmp_path / "de.tsv").write_text(GERMAN)
    return tmp_path


def import_(files, *options):
    output = StringIO()
    source = f"--source={files / 'en.tsv'}"
    call_command("import_translations", str(files / "de.tsv"), source, *options, stdout=output)
    return output.getvalue()


def test_without_a_project_a_file_is_only_compared_with_its_source(files):
    printed = import_(files)
    assert "2 of 3 lines can be used.\n  1 refused: placeholder\n  line 3: placeholder" in printed
    assert "also of refused lines: 1.\n  line 3, 2: 0 instead of 1" in printed
    assert (
        "Pairs with two equal translations: 1; of them labelled 0: 1.\n  1, label 0: Ada" in printed
    )
    with pytest.raises(CommandError, match=r"en\.txt cannot be read"):
        call_command("import_translations", str(files / "de.tsv"), f"--source={files / 'en.txt'}")
    with pytest.raises(CommandError, match="Name a --project"):
        call_command("import_translations", str(files / "de.tsv"))


def test_translations_become_answers_that_are_drawn_for_validation_like_all_others(files):
    project = translating.study(people=2, validated_share=1.0)
    agency, other = translating.people(project)
    options = (f"--project={project.name}", f"--translator={agency.user.username}")
    printed = import_(files, *options)
    assert f"2 sentences of {project} translated, 2 of these wait for validation; 2 not" in printed
    made = Translation.objects.filter(project=project).answered()
    assert {slot.text for slot in made} == {"Ada traf Bo in Rom."}
    assert [slot.serial for slot in made.order_by("serial")] == [1, 2]
    states = [result.state for result in results.of_project(project)]
    assert states.count(results.State.TRANSLATED) == 2
    assert translating.turn(agency, "validate").shown is None
    assert translating.validate_next(other).text == ""
    assert AuditEntry.objects.get(act="translations-imported").details["rows"] == 2
    # The rest waits for people, and a second import stores nothing again.
    assert "0 sentences of" in import_(files, *options)
    assert translating.turn(other).shown is not None


def test_only_a_member_of_a_study_that_is_under_way_can_have_translated(files):
    project, stranger = translating.study(people=1), make.person(make.study()).user
    texts = {translating.PAIRS[0][0]: "Ada traf Bo in Rom."}
    with pytest.raises(Refused, match="does not translate in"):
        studies.store_translations(project, texts, translator=stranger)
    with pytest.raises(Refused, match="no such study"):
        studies.store_translations(make.study(), texts, translator=stranger)
    member = translating.people(project)[0].user
    with pytest.raises(Refused, match="no translation"):
        studies.store_translations(
            project, texts | {translating.PAIRS[0][1]: "N / A"}, translator=member
        )
    with pytest.raises(CommandError, match="Name the account"):
        import_(files, f"--project={project.name}")
    assert not Item.objects.filter(slots__submitted_at__isnull=False).exists()
