"""Reads the beginning of uploaded files: their layout, their columns, a preview."""

from dataclasses import replace
from typing import Any

from annotation.imports import compression, detection, files, tables
from annotation.imports.kinds import KINDS
from annotation.imports.previews import Preview
from annotation.imports.records import SECONDS_OF_PREVIEW, Problem, UnreadableTable
from annotation.imports.tables import Layout
from annotation.models import Import


def read(row: Import) -> dict[str, Any]:
    """Return the values to store with a draft; the preview of a file that is no table says why."""
    try:
        return {"state": Import.State.DRAFT} | _beginning(row)
    except UnreadableTable as error:
        preview = Preview.of_problem(error).to_dict()
        return {"state": Import.State.DRAFT, "preview": preview, "columns": {}}


def _beginning(row: Import) -> dict[str, Any]:
    path, kind = files.data_of(row), KINDS[row.kind]
    size = compression.unpacked_size(path, most=min(compression.MOST_UNPACKED, kind.most_bytes))
    if row.layout:
        layout = Layout.from_dict(row.layout)
    else:
        layout = detection.layout_of(path, row.name.casefold(), kind.fields)
    with tables.open_table(path, layout, seconds=SECONDS_OF_PREVIEW) as table:
        if not layout.sheet and table.sheets:
            layout = replace(layout, sheet=table.sheets[0])
        preview = Preview.of_table(table)
        if not table.sample:  # the layout stays: a row may have been taken for column names
            preview = replace(preview, problem=Problem.NO_ROWS)
        return {
            "size": size,
            "layout": layout.to_dict(),
            "columns": detection.columns_of(table, kind.fields),
            "preview": preview.to_dict(),
        }
