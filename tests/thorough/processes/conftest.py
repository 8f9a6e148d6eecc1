from tests.generation.conftest import packaged_models as packaged_models
from tests.generation.conftest import translators as translators
