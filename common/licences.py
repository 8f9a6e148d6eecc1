"""Licences by their SPDX identifiers, https://spdx.org/licenses/."""

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

# Those that people choose for datasets, the most open first.
SUGGESTED = {
    "CC0-1.0": "Creative Commons Zero: no rights reserved",
    "CC-BY-4.0": "Creative Commons: attribution",
    "CC-BY-SA-4.0": "Creative Commons: attribution, share alike",
    "CC-BY-NC-4.0": "Creative Commons: attribution, not commercial",
    "CC-BY-NC-SA-4.0": "Creative Commons: attribution, not commercial, share alike",
    "CC-BY-ND-4.0": "Creative Commons: attribution, no derivatives",
    "PDDL-1.0": "Open Data Commons: public domain",
    "ODC-By-1.0": "Open Data Commons: attribution",
    "ODbL-1.0": "Open Data Commons: open database licence",
    "CDLA-Permissive-2.0": "Community Data License Agreement: permissive",
    "CDLA-Sharing-1.0": "Community Data License Agreement: sharing",
    "Apache-2.0": "Apache License",
    "MIT": "MIT License",
}
# What people write for a licence with one version.
SHORT = {"cc0": "CC0-1.0", "apache": "Apache-2.0", "odbl": "ODbL-1.0", "pddl": "PDDL-1.0"}
# The Hugging Face Hub knows these by their SPDX identifier in lower case, or by the given name:
# https://huggingface.co/docs/hub/repositories-licenses
_ON_HUB = (
    "AFL-3.0 Apache-2.0 Artistic-2.0 BSD-2-Clause BSD-3-Clause BSD-3-Clause-Clear BSL-1.0 "
    "CC-BY-2.0 CC-BY-2.5 CC-BY-3.0 CC-BY-4.0 CC-BY-NC-2.0 CC-BY-NC-3.0 CC-BY-NC-4.0 "
    "CC-BY-NC-ND-3.0 CC-BY-NC-ND-4.0 CC-BY-NC-SA-2.0 CC-BY-NC-SA-3.0 CC-BY-NC-SA-4.0 "
    "CC-BY-ND-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0 CC0-1.0 CDLA-Permissive-1.0 CDLA-Permissive-2.0 "
    "CDLA-Sharing-1.0 ECL-2.0 EPL-1.0 EPL-2.0 etalab-2.0 EUPL-1.1 EUPL-1.2 ISC LPPL-1.3c MIT "
    "MPL-2.0 MS-PL NCSA OFL-1.1 OSL-3.0 PostgreSQL Unlicense WTFPL Zlib"
)
HUB_NAMES = {name: name.lower() for name in _ON_HUB.split()} | {
    "AGPL-3.0-only": "agpl-3.0",
    "C-UDA-1.0": "c-uda",
    "GPL-2.0-only": "gpl-2.0",
    "GPL-3.0-only": "gpl-3.0",
    "LGPL-2.1-only": "lgpl-2.1",
    "LGPL-3.0-only": "lgpl-3.0",
    "ODC-By-1.0": "odc-by",
    "ODbL-1.0": "odbl",
    "PDDL-1.0": "pddl",
}


def spdx(text: str) -> str:
    """Return the identifier of SPDX for a licence, written with any case, and spaces for hyphens.

    >>> spdx("cc by-sa 4.0"), spdx("cc0")
    ('CC-BY-SA-4.0', 'CC0-1.0')

    Raises ValueError for an unknown licence.
    """
    name = text.strip()
    usual_form = "-".join(name.split())
    try:
        identifier = canonicalize_license_expression(SHORT.get(usual_form.lower(), usual_form))
    except InvalidLicenseExpression as error:
        raise ValueError(f"{name} is no SPDX licence identifier such as CC-BY-4.0") from error
    if identifier.startswith("LicenseRef-") or not set(identifier).isdisjoint(" ()+"):
        raise ValueError(f"{name} is not one SPDX licence identifier such as CC-BY-4.0")
    return identifier


def as_spdx(text: str) -> str:
    """Return a licence as SPDX writes it, or as it is: sets have licences of their own."""
    try:
        return spdx(text)
    except ValueError:
        return text.strip()


def title(identifier: str) -> str:
    """Return a licence as people write it.

    >>> title("CC-BY-SA-4.0"), title("CC0-1.0"), title("MIT")
    ('CC BY-SA 4.0', 'CC0 1.0', 'MIT')
    """
    name, _hyphen, version = identifier.rpartition("-")
    usual_form = f"{name} {version}" if version[:1].isdigit() and name else identifier
    return usual_form.replace("CC-", "CC ")


def name_of(text: str) -> str:
    """Return a licence as people write it; a text that SPDX does not know stays as it is."""
    try:
        return title(spdx(text))
    except ValueError:
        return text


def asks_for_itself(identifier: str) -> bool:
    """Return whether works that are made of a work must have the same licence."""
    return "-SA-" in identifier or identifier in ("ODbL-1.0", "CDLA-Sharing-1.0")


def search(text: str) -> list[str]:
    """Return the suggested licences whose identifier or name has all words of the text."""
    words = text.casefold().replace("-", " ").split()
    return [
        identifier
        for identifier, name in SUGGESTED.items()
        if all(word in f"{identifier} {name}".casefold().replace("-", " ") for word in words)
    ]


def address(licence: str) -> str:
    return f"https://spdx.org/licenses/{licence}"


def link(text: str) -> str:
    """Return the address of a licence; a text that SPDX does not know stays as it is."""
    try:
        return address(spdx(text))
    except ValueError:
        return text
