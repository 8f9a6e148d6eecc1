"""The release of the tests of releases."""

from tests.releases.dataset.conftest import release

__all__ = ["release"]
