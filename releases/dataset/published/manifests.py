"""The manifest of a release of a published set."""

from releases.dataset.manifest import MANIFEST, Manifest
from releases.dataset.published.settings import PublishedSettings
from releases.dataset.reader import Unreadable


def read_settings(manifest: Manifest) -> PublishedSettings:
    """Return the settings in a manifest. Raises Unreadable."""
    try:
        return PublishedSettings.from_dict(manifest["settings"])
    except (TypeError, KeyError, IndexError) as error:
        raise Unreadable(MANIFEST, f"settings: {error!r}") from error
