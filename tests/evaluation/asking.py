"""How tests ask for an evaluation, and bring predictions."""

from django.core.files.base import ContentFile

from evaluation import services
from evaluation.models import Evaluation
from releases.selectors.releases import folder_of
from tests.annotation.pages import page

MODELS = {"model_names": ["never", "overlap"], "seeds": 2}
ASKED = {"experiment": "plain", **MODELS}


def address(name, release, *args):
    return page(name, release.project, release.public_id, *args)


def evaluated(release, **changes):
    services.request(release, by=None, **ASKED | changes)
    assert services.evaluate_next()
    return Evaluation.objects.get(release=release, experiment=(ASKED | changes)["experiment"])


def theirs(release, *, label="1", leave_out=0, more=""):
    """A file of predictions with a label for each pair of the test set."""
    table = (folder_of(release) / "labeled_final/test.tsv").read_text().splitlines()
    ids = [row.partition("\t")[0] for row in table[1 + leave_out :]]
    content = "\n".join(["id\tlabel", *(f"{each}\t{label}" for each in ids)]) + more
    return {"name": "Theirs", "split": "test", "file": ContentFile(content, "theirs.tsv")}
