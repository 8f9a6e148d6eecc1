"""Import and export in the admin: spreadsheet-safe CSV, JSON and validated imports.

An import is all or nothing: if one line is invalid, no line is imported and the page shows why.
"""

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import tablib  # type: ignore[import-untyped]
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from import_export import resources  # type: ignore[import-untyped]
from import_export.admin import ImportExportMixin  # type: ignore[import-untyped]
from import_export.formats.base_formats import CSV, JSON  # type: ignore[import-untyped]
from import_export.forms import ExportForm, ImportForm  # type: ignore[import-untyped]

from common.bodies import REST_OF_FORM, takes_up_to
from common.formulas import escape, unescape

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

    AnyModelAdmin = admin.ModelAdmin[Any]
else:
    AnyModelAdmin = admin.ModelAdmin

MOST_BYTES = 5 * 1024 * 1024


def staff_sends(request: HttpRequest, *_place: object, **_arguments: object) -> None:
    """Let people with the rights of the admin send large bodies; see `bodies.takes_up_to`."""
    if not admin.site.has_permission(request):
        raise Http404


class SafeCSV(CSV):
    """CSV that escapes cells on export and unescapes them on import."""

    def export_data(self, dataset: Any, **options: Any) -> Any:
        return super().export_data(_treat_cells(dataset, escape), **options)

    def create_dataset(self, in_stream: Any, **options: Any) -> Any:
        return _treat_cells(super().create_dataset(in_stream, **options), unescape)


class CheckedResource(resources.ModelResource):
    """Validates rows as a form would, with all validators and constraints of the model."""

    class Meta:
        clean_model_instances = True
        skip_unchanged = True
        report_skipped = True
        skip_html_diff = True  # its HTML has inline styles, which the CSP blocks
        use_transactions = True

    def before_import_row(self, row: Mapping[str, Any], **options: Any) -> None:
        for column, value in row.items():
            if isinstance(value, str) and any(map(_is_no_text, value)):
                raise ValidationError(f"{column}: contains characters that aren’t text.")


class SmallImportForm(ImportForm):
    def clean_import_file(self) -> "UploadedFile[bytes]":
        file: UploadedFile[bytes] = self.cleaned_data["import_file"]
        if (file.size or 0) > MOST_BYTES:
            raise ValidationError(f"The file is larger than {MOST_BYTES // 2**20} MiB.")
        return file


class ExchangeAdmin(ImportExportMixin, AnyModelAdmin):
    """Import in one step for people with add and change permission; export with view permission.

    `resource_classes` are imported; `export_classes` may have more columns, which an import
    ignores.
    """

    export_classes: tuple[type[CheckedResource], ...] = ()
    formats = (SafeCSV, JSON)
    import_form_class = SmallImportForm
    export_form_class = ExportForm
    import_template_name = "admin/exchange/import.html"
    # A confirmation step would store the file on one server and might reach another.
    skip_import_confirm = True

    def has_import_permission(self, request: HttpRequest) -> bool:
        return self.has_add_permission(request) and self.has_change_permission(request)

    def has_export_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_export_resource_classes(self, request: HttpRequest) -> tuple[type[Any], ...]:
        return self.export_classes

    @takes_up_to(MOST_BYTES + REST_OF_FORM, gate=staff_sends)
    def import_action(self, request: HttpRequest, **options: Any) -> HttpResponse:
        return cast(HttpResponse, super().import_action(request, **options))

    def process_import(self, request: HttpRequest, **options: Any) -> HttpResponse:
        """Raise Http404: there is no confirmation step."""
        raise Http404


def _treat_cells(dataset: Any, treat: Any) -> Any:
    treated = tablib.Dataset(headers=dataset.headers)
    for row in dataset:
        treated.append([treat(cell) if isinstance(cell, str) else cell for cell in row])
    return treated


def _is_no_text(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs") and character not in "\t\r\n"
