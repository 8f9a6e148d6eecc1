"""A whole translation study of simulated people, one of them careless."""

import pytest
from django.core.management import call_command

from annotation.translations.selectors import figures
from annotation.translations.services import delivery, validation
from tests.annotation.translating import pairs, study

pytestmark = pytest.mark.django_db


def test_a_careless_translator_is_found_and_after_widening_the_study_is_delivered(capsys):
    project = study(pairs(30), validated_share=0.2, least_validated=5)
    crowd = {"annotators": 4, "accuracy": 0.98, "seed": 1, "careless": [("random", 1)]}
    call_command("simulate_annotators", project=project.name, **crowd)
    assert "translations and" in capsys.readouterr().out
    validation.top_up(project)
    call_command("simulate_annotators", project=project.name, **crowd)
    found = figures.of_study(figures.read(project))
    [careless] = [each for each in found.translators if each.too_high]
    assert careless.rate.value > 0.2
    with pytest.raises(delivery.NotReady, match="not below"):
        delivery.deliver(project)
    person = project.memberships.get(user=careless.user).user
    assert person.username.endswith("05")
    assert validation.widen(project, person) > 0
    call_command("simulate_annotators", project=project.name, **crowd)
    delivery.deliver(project)
