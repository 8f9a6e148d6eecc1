"""Lists of work as it stands: corrections, leases, skips; and putting back what was set aside."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Correction, Judgment, Membership, Project, Skip
from annotation.services import corrections, judgments
from annotation.services import skips as passing
from tests.annotation import cast, judged


@pytest.fixture
def manager(project) -> Client:
    client = Client()
    client.force_login(cast.person(project, role=Membership.Role.MANAGER).user)
    return client


@pytest.fixture
def get(manager, project):
    return lambda name, **query: manager.get(reverse(name, args=[project.public_id]), query)


@pytest.fixture
def post(manager, project):
    def post(name, *args, **data):
        return manager.post(reverse(name, args=[project.public_id, *args]), data, follow=True)

    return post


def pass_over(project, member) -> Skip:
    """The next pair of the person, for everybody and until it is put back."""
    Project.objects.filter(pk=project.pk).update(skipping="never")
    member.project.refresh_from_db()
    held = judgments.claim(member)
    return passing.pair(member, pair=held.pair.public_id, reason="broken")


@pytest.mark.parametrize(
    ("state", "number"),
    [("", 4), ("accepted", 1), ("fixed", 1), ("rejected", 1), ("waiting", 1), ("set_aside", 0)],
)
def test_corrections_are_listed_by_what_became_of_them(get, project, state, number):
    cast.candidates(project, [(f"S{n} sees.", f"Sees s{n}.") for n in range(4)])
    for action in ("accept", "fix", "reject"):
        cast.correct_next(cast.person(project), action, "Mended." if action == "fix" else "")
    reply = get("corrections", state=state)
    assert reply.context["number"] == len(reply.context["lines"]) == number
    assert ("Mended" in reply.text) == (state in ("", "fixed"))


def test_candidates_are_found_by_their_words(get, project):
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada."), ("Cy saw Di.", "Di saw Cy.")])
    [line] = get("corrections", words="saw cy").context["lines"]
    assert line.correction.candidate.text == "Di saw Cy."


def test_whoever_holds_an_item_is_listed_with_their_time(get, project):
    cast.pairs(project, 1)
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    alice, bob = judged.people(project, 2)
    slot, correction = judgments.claim(alice), corrections.claim(bob)
    reply = get("leases")
    assert [held for held, _ in reply.context["leases"]] == [slot, correction]
    for text in (str(alice.user), str(bob.user), "Bo met Ada."):
        assert text in reply.text


def test_a_lease_that_has_run_out_says_so(get, project):
    cast.pairs(project, 1)
    judgments.claim(cast.person(project))
    Judgment.objects.filter(annotator__isnull=False).update(
        lease_until=timezone.now() - timedelta(minutes=1)
    )
    [(_, has_run_out)] = get("leases").context["leases"]
    assert has_run_out


def test_what_is_answered_is_no_lease(get, project):
    judged.pairs(project, [[1, 0]], by=judged.people(project, 2))
    assert get("leases").context["leases"] == []


def test_what_is_set_aside_stands_first_with_its_reasons(get, project):
    cast.pairs(project, 2)
    skip = pass_over(project, cast.person(project))
    reply = get("skips")
    [aside] = reply.context["aside"]
    assert (aside.item, aside.skips) == (skip.pair, [skip])
    assert [each.pk for each in reply.context["skips"]] == [skip.pk]


def test_a_candidate_that_is_set_aside_is_listed_too(get, project):
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    Correction.objects.update(set_aside_at=timezone.now())
    [aside] = get("skips").context["aside"]
    assert (aside.kind, aside.item.candidate.text) == ("correction", "Bo met Ada.")


def test_skips_are_filtered_by_item_and_reason(get, project):
    cast.pairs(project, 1)
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    alice, pair, correction = cast.person(project), project.pairs.get(), Correction.objects.get()
    of = {"project": project, "annotator": alice.user}
    Skip.objects.create(pair=pair, reason="broken", **of)
    Skip.objects.create(correction=correction, reason="unclear", note="<b>odd</b>", **of)
    assert get("skips").context["number"] == 2
    assert get("skips", kind="pair").context["number"] == 1
    reply = get("skips", reason="unclear")
    assert reply.context["number"] == 1
    assert "&lt;b&gt;odd&lt;/b&gt;" in reply.text


def test_a_pair_is_put_back_into_the_queue(get, post, project):
    cast.pairs(project, 1)
    skip = pass_over(project, cast.person(project))
    bob = cast.person(project)
    assert judgments.claim(bob) is None
    reply = post("put_back", kind="pair", item=skip.pair.public_id)
    assert "It is in the queue again." in reply.text
    assert reply.context["aside"] == []
    assert judgments.claim(bob).pair == skip.pair


def test_from_its_own_page_a_pair_is_put_back_to_that_page(post, project):
    cast.pairs(project, 1)
    pair = pass_over(project, cast.person(project)).pair
    reply = post("put_back", kind="pair", item=pair.public_id, from_pair="1")
    assert reply.redirect_chain[0][0] == reverse("pair", args=[project.public_id, pair.public_id])


def test_putting_back_twice_changes_nothing(post, project):
    cast.pairs(project, 1)
    item = pass_over(project, cast.person(project)).pair.public_id
    post("put_back", kind="pair", item=item)
    assert "It was in the queue already." in post("put_back", kind="pair", item=item).text


@pytest.mark.parametrize("level", [1, 0, -1])
def test_a_pair_is_given_a_priority(post, project, level):
    cast.pairs(project, 2)
    pair = project.pairs.latest("pk")
    post("give_priority", pair.public_id, level=level)
    pair.refresh_from_db()
    assert pair.priority == level
    assert (judgments.claim(cast.person(project)).pair == pair) == (level == 1)


@pytest.mark.parametrize("data", [{}, {"level": 7}, {"level": "x"}])
def test_there_is_no_other_priority(manager, project, data):
    cast.pairs(project, 1)
    page = reverse("give_priority", args=[project.public_id, project.pairs.get().public_id])
    assert manager.post(page, data).status_code == 404


@pytest.mark.parametrize(
    ("role", "status"), [("annotator", 404), ("researcher", 404), ("manager", 302)]
)
def test_only_managers_steer(project, role, status):
    cast.pairs(project, 1)
    pair = project.pairs.get()
    client = Client()
    client.force_login(cast.person(project, role=role).user)
    for page, data in (
        (reverse("put_back", args=[project.public_id]), {"kind": "pair", "item": pair.public_id}),
        (reverse("give_priority", args=[project.public_id, pair.public_id]), {"level": 1}),
    ):
        assert client.post(page, data).status_code == status
        assert client.get(page).status_code == 405


PAGES = ["figures", "pairs", "annotators", "corrections", "leases", "skips"]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(
    ("role", "status"), [("annotator", 404), ("researcher", 200), ("manager", 200)]
)
def test_lists_are_for_researchers_and_managers(project, name, role, status):
    client = Client()
    client.force_login(cast.person(project, role=role).user)
    assert client.get(reverse(name, args=[project.public_id])).status_code == status
    stranger = Client()
    stranger.force_login(cast.person(cast.study(), role="manager").user)
    assert stranger.get(reverse(name, args=[project.public_id])).status_code == 404


@pytest.mark.parametrize("name", ["corrections", "leases", "skips"])
def test_statements_do_not_grow(get, project, name, django_assert_max_num_queries):
    def more(number):
        cast.candidates(project, [(f"{number} {n} a.", f"{number} {n} b.") for n in range(number)])
        judged.pairs(project, [[1]] * number, by=judged.people(project, 1))
        for person in judged.people(project, number):
            skip = pass_over(project, person)
            Correction.objects.filter(action=None).update(set_aside_at=timezone.now())
            assert skip.pair_id
            judgments.claim(person)

    more(2)
    get(name)
    with django_assert_max_num_queries(8):
        get(name)
    more(12)
    with django_assert_max_num_queries(8):
        get(name)
