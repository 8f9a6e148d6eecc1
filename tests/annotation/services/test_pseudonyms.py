"""Names of a release: drawn with a key of the project, told by nothing else, and forgotten."""

import hashlib
import hmac
import re

import pytest
from django.contrib.admin.models import LogEntry
from django.db import IntegrityError
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Pseudonym, PseudonymKey, Release
from annotation.services import pseudonyms
from tests.annotation import cast

keys = st.binary(min_size=32, max_size=32)
versions = st.from_regex(re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,49}", re.ASCII), fullmatch=True)
ids = st.uuids(version=4)

MAKE_KEY = """
from unittest import mock
from annotation.models import Project, PseudonymKey
from annotation.services import pseudonyms
project = Project.objects.get()
{act}
"""
GUARDED = "print(pseudonyms._key_of(project).hex())"
# Whoever finds no key writes their own over that of whoever was quicker.
UNGUARDED = """
import time
from django.utils import timezone
found = PseudonymKey.objects.filter(project=project).first()
time.sleep(1)
row = found or PseudonymKey(
    project=project, key=pseudonyms._new_key(), created_at=timezone.now()
)
PseudonymKey.objects.bulk_create(
    [row], update_conflicts=True, unique_fields=["project"], update_fields=["key"]
)
print(bytes(row.key).hex())
"""


def name(key, version, public_id):
    return pseudonyms._name(key, Release(version=version), User(public_id=public_id))


@pytest.fixture
def project(db):
    return cast.study()


@pytest.fixture
def people(db):
    return [User.objects.create_user(f"judge-{number}") for number in range(4)]


def release_of(project, version="1.0", **columns):
    settings = {"state": Release.State.FROZEN, "frozen_at": project.created_at} | columns
    return Release.objects.create(project=project, version=version, seed=1, settings={}, **settings)


def names(release):
    return dict(release.pseudonyms.values_list("annotator_id", "name"))


@given(keys, versions, ids)
def test_a_name_is_the_documented_digest(key, version, public_id):
    digest = hmac.new(key, version.encode() + public_id.bytes, hashlib.sha256).hexdigest()

    assert name(key, version, public_id) == f"annotator-{digest[:16]}"


@given(keys, versions, versions, ids, ids)
def test_names_differ_by_release_and_by_person(key, version, other_version, person, other_person):
    same = (version, person) == (other_version, other_person)

    assert (name(key, version, person) == name(key, other_version, other_person)) is same


@given(keys, keys, versions, ids)
def test_another_key_gives_another_name(key, other_key, version, person):
    assert (name(key, version, person) == name(other_key, version, person)) is (key == other_key)


def test_everybody_has_one_name_in_a_release(project, people):
    release = release_of(project)
    pseudonyms.draw(release, people)

    assert names(release).keys() == {person.pk for person in people}
    assert len(set(names(release).values())) == len(people)


def test_the_key_is_made_once_and_used_for_all_releases_of_the_project(project, people):
    for version in ("1.0", "1.1"):
        pseudonyms.draw(release_of(project, version), people)

    key = bytes(PseudonymKey.objects.get(project=project).key)
    assert len(key) == 32
    for row in Pseudonym.objects.select_related("annotator", "release"):
        assert row.name == pseudonyms._name(key, row.release, row.annotator)


def test_projects_have_keys_of_their_own(project, people):
    for each in (project, cast.study()):
        pseudonyms.draw(release_of(each), people)

    first, second = PseudonymKey.objects.all()
    assert bytes(first.key) != bytes(second.key)
    assert Pseudonym.objects.values("name").distinct().count() == 2 * len(people)


def test_names_are_drawn_once(project, people):
    release = release_of(project)
    pseudonyms.draw(release, people)

    with pytest.raises(IntegrityError):
        pseudonyms.draw(release, people)


def test_forgetting_deletes_the_names_of_one_release_and_replaces_the_key(project, people):
    first, second = release_of(project, "1.0"), release_of(project, "1.1")
    for release in (first, second):
        pseudonyms.draw(release, people)
    key, kept = bytes(PseudonymKey.objects.get().key), names(second)

    pseudonyms.forget(first, by=people[0])

    assert names(first) == {}
    assert names(second) == kept
    assert bytes(PseudonymKey.objects.get().key) != key
    assert first.names_forgotten_at is not None
    first.refresh_from_db()
    assert first.names_forgotten_at is not None


def test_after_forgetting_nothing_in_the_database_gives_the_names_again(project, people):
    release = release_of(project)
    pseudonyms.draw(release, people)
    before = set(names(release).values())

    pseudonyms.forget(release, by=people[0])

    key = bytes(PseudonymKey.objects.get().key)
    again = {pseudonyms._name(key, release, person) for person in people}
    assert again.isdisjoint(before)


def test_forgetting_twice_leaves_the_second_key(project, people):
    release = release_of(project)
    pseudonyms.draw(release, people)
    pseudonyms.forget(release, by=people[0])
    key, at = bytes(PseudonymKey.objects.get().key), release.names_forgotten_at

    pseudonyms.forget(release, by=people[1])

    assert (bytes(PseudonymKey.objects.get().key), release.names_forgotten_at) == (key, at)


def test_who_let_names_be_forgotten_is_on_record(project, people):
    release = release_of(project)
    pseudonyms.forget(release, by=people[2])

    entry = LogEntry.objects.get()
    assert (entry.user, entry.get_edited_object()) == (people[2], release)


@pytest.mark.parametrize("state", ["draft", "queued", "building", "failed"])
def test_names_of_what_is_not_published_are_not_forgotten(project, people, state):
    release = release_of(project, state=state, frozen_at=None)

    with pytest.raises(Refused, match="not frozen"):
        pseudonyms.forget(release, by=people[0])


def test_names_of_a_withdrawn_release_can_be_forgotten(project, people):
    release = release_of(project, state="withdrawn", withdrawn_at=project.created_at)
    pseudonyms.draw(release, people)

    pseudonyms.forget(release, by=people[0])

    assert names(release) == {}


@pytest.fixture
def studied(installation):
    installation.run("from tests.annotation import cast; cast.study()")
    return installation


def keys_of(studied, act):
    code = MAKE_KEY.format(act=act)
    return {printed.strip() for printed in studied.run_together(code, processes=4)}


def test_of_four_who_need_the_key_at_once_all_get_one(studied):
    assert len(keys_of(studied, GUARDED)) == 1


def test_control_with_a_key_read_and_then_written_they_get_several(studied):
    assert len(keys_of(studied, UNGUARDED)) > 1
