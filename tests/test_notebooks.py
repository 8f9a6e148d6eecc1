"""The notebooks in the documents print what is stored with them."""

import nbformat
import pytest

from operations.notebooks import texts_of
from support import notebooks


def outputs_by_code(notebook):
    return {cell.source: texts_of(cell) for cell in notebook.cells if cell.cell_type == "code"}


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_a_notebook_prints_what_is_stored_with_it(path, tmp_path):
    stored = outputs_by_code(nbformat.read(path, as_version=4))
    printed = outputs_by_code(notebooks.executed(path, tmp_path))
    assert printed == stored, "Update the notebook: python -m support.notebooks"
