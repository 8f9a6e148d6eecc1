"""Agreement shows whether the shape of pairs gives away the labels that people decided."""

import html

import pytest
from django.urls import reverse

from annotation.agreement import shapes
from annotation.stats.shape import READABLE
from tests.annotation import judged, make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    """120 pairs: the paraphrases are rotations, the others exchanges."""
    project = make.study()
    labels = [number % 2 for number in range(120)]
    judged.pairs(project, [[label] * 5 for label in labels], by=judged.people(project, 5))
    pairs = project.pairs.order_by("pk").select_related("sentence1", "sentence2")
    for number, (pair, label) in enumerate(zip(pairs, labels, strict=True)):
        words = [f"{word}{number}" for word in ("ann", "met", "paul", "in", "rome")]
        first, *middle, last = words
        other = [*words[2:], *words[:2]] if label else [last, *middle, first]
        type(pair.sentence1).objects.filter(pk=pair.sentence1_id).update(text=" ".join(words))
        type(pair.sentence2).objects.filter(pk=pair.sentence2_id).update(text=" ".join(other))
    return project


def test_a_rule_that_tells_the_labels_is_named(project, client):
    manager = make.person(project, role="manager").user
    client.force_login(manager)
    page = client.get(reverse("agreement", args=[project.public_id])).content.decode()
    assert "“sentence 2 is a rotation of the words of sentence 1” alone" in html.unescape(page)
    reply = client_of(manager).get(f"/api/projects/{project.public_id}/agreement/").json()
    assert reply["shape"]["verdict"] == READABLE
    rotation = next(rule for rule in reply["shape"]["rules"] if rule["rule"] == "rotation")
    assert rotation["accuracy"] == 1.0
    assert reply["shape"]["pairs"] == 120


def test_few_pairs_have_no_such_figures(project):
    project.pairs.filter(pk__in=project.pairs.values("pk")[:30]).update(gold_label=1)
    assert shapes.of_project(project) is None
