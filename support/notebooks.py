"""Executes the notebooks of the documents, and stores what they print: as `python -m
support.notebooks`, after a change to one of them or to what it shows.

The archive in their folder is the release that `create_demonstration` makes. After a change to the
layout of releases, make it again and copy it from `releases/*/.archives/` in the data folder.
"""

import os
import shutil
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from support.places import ROOT

FOLDER = ROOT / "docs" / "researcher"
# Seconds that Jupyter may take to start: on a busy machine more than its default of a minute.
STARTUP = 180


def paths() -> list[Path]:
    return sorted(FOLDER.glob("*.ipynb"))


def executed(path: Path, folder: Path) -> NotebookNode:
    """Return a notebook as executed in a folder, in a process that knows no setting of Django.

    The folder is given the releases that readers download. Raises CellExecutionError.
    """
    for archive in FOLDER.glob("*.tar.gz"):
        shutil.copy(archive, folder)
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(
        notebook,
        timeout=None,
        startup_timeout=STARTUP,
        coalesce_streams=True,
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    settings = {"IPYTHONDIR": str(folder / "ipython"), "PYTHONPATH": str(ROOT)}
    environment = os.environ | settings
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    client.execute(env=environment)
    return plain(notebook)


def plain(notebook: NotebookNode) -> NotebookNode:
    """Keep only the texts of outputs, also of tables, and nothing about the machine."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if "data" in output:
                output.data = {"text/plain": output.data["text/plain"]}
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def main() -> None:
    for path in paths():
        with tempfile.TemporaryDirectory() as folder:
            notebook = executed(path, Path(folder))
            nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
