"""The notebooks in the documents print what is stored with them."""

from functools import cache

import nbformat
import pytest
from django.core.management import call_command

from generation.models import Candidate
from operations.notebooks import texts_of
from support import notebooks
from tests.annotation import make


@pytest.fixture(scope="module")
def execute(tmp_path_factory):
    """Executes a notebook once; returns it and its folder."""

    @cache
    def execute(path):
        folder = tmp_path_factory.mktemp(path.stem)
        return notebooks.executed(path, folder), folder

    return execute


def outputs_by_code(notebook):
    return {cell.source: texts_of(cell) for cell in notebook.cells if cell.cell_type == "code"}


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_a_notebook_prints_what_is_stored_with_it(execute, path):
    stored = outputs_by_code(nbformat.read(path, as_version=4))
    printed = outputs_by_code(execute(path)[0])
    assert printed == stored, "Update the notebook: python -m support.notebooks"


@pytest.mark.django_db
def test_a_project_takes_the_file_of_candidates(execute):
    _notebook, folder = execute(notebooks.FOLDER / "generating_candidates.ipynb")
    project, file = make.study(), folder / "candidates.tsv"
    call_command("import_pairs", str(file), project=project.name)
    _header, *rows = file.read_text().splitlines()
    candidates = Candidate.objects.filter(run__projects=project, run__method="word_swap")
    assert [f"{row.sentence.text}\t{row.text}" for row in candidates.order_by("pk")] == [
        row.rpartition("\tword_swap")[0] for row in rows
    ]
