"""Tables into and out of the admin: CSV that spreadsheets open safely, JSON, and checked imports.

An import is all or nothing: where one line cannot be taken, none is, and the page says why.
"""

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import tablib  # type: ignore[import-untyped]
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from import_export import resources, widgets  # type: ignore[import-untyped]
from import_export.admin import ImportExportMixin  # type: ignore[import-untyped]
from import_export.formats.base_formats import CSV, JSON  # type: ignore[import-untyped]
from import_export.forms import ExportForm, ImportForm  # type: ignore[import-untyped]

from common.csv_cells import escaped, unescaped

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

    AnyModelAdmin = admin.ModelAdmin[Any]
else:
    AnyModelAdmin = admin.ModelAdmin

MOST_BYTES = 5 * 1024 * 1024


class SafeCSV(CSV):
    """CSV whose cells are guarded when they leave, and as they were when they come back."""

    def export_data(self, dataset: Any, **options: Any) -> Any:
        return super().export_data(_with(dataset, escaped), **options)

    def create_dataset(self, in_stream: Any, **options: Any) -> Any:
        return _with(super().create_dataset(in_stream, **options), unescaped)


class StrictBoolean(widgets.BooleanWidget):
    """True or false as they are written by the export; anything else is an error, not false."""

    def clean(self, value: Any, row: Any = None, **options: Any) -> bool:
        if value not in (*self.TRUE_VALUES, *self.FALSE_VALUES):
            raise ValidationError(f"“{value}” is neither 1 nor 0.")
        return bool(super().clean(value, row, **options))


class CheckedResource(resources.ModelResource):
    """Rows as forms would take them: every validator and constraint of the model is asked."""

    class Meta:
        clean_model_instances = True
        skip_unchanged = True
        report_skipped = True
        skip_html_diff = True  # their page of differences brings styles within its lines
        use_transactions = True

    def before_import_row(self, row: Mapping[str, Any], **options: Any) -> None:
        for column, value in row.items():
            if isinstance(value, str) and any(map(_is_no_text, value)):
                raise ValidationError(f"{column}: holds characters that are no text.")


class SmallImportForm(ImportForm):
    """A file that fits into memory."""

    def clean_import_file(self) -> "UploadedFile[bytes]":
        file: UploadedFile[bytes] = self.cleaned_data["import_file"]
        if (file.size or 0) > MOST_BYTES:
            raise ValidationError(f"The file is larger than {MOST_BYTES // 2**20} MiB.")
        return file


class ExchangeAdmin(ImportExportMixin, AnyModelAdmin):
    """Import for those who may add and change, in one step; export for those who may look.

    `resource_classes` are imported; `export_classes` may hold further columns, which an import of
    the same file passes over.
    """

    export_classes: tuple[type[CheckedResource], ...] = ()
    formats = (SafeCSV, JSON)
    import_form_class = SmallImportForm
    export_form_class = ExportForm
    import_template_name = "admin/exchange/import.html"
    # Otherwise the file would wait on the disk of one server, and be confirmed on another.
    skip_import_confirm = True

    def has_import_permission(self, request: HttpRequest) -> bool:
        return self.has_add_permission(request) and self.has_change_permission(request)

    def has_export_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_export_resource_classes(self, request: HttpRequest) -> tuple[type[Any], ...]:
        return self.export_classes

    def process_import(self, request: HttpRequest, **options: Any) -> HttpResponse:
        """There is nothing to confirm."""
        raise Http404


def _with(dataset: Any, treat: Any) -> Any:
    treated = tablib.Dataset(headers=dataset.headers)
    for row in dataset:
        treated.append([treat(cell) if isinstance(cell, str) else cell for cell in row])
    return treated


def _is_no_text(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs") and character not in "\t\r\n"
