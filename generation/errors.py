"""What can stop a run from starting, in words that a manager can read."""


class GenerationError(Exception):
    """Something was not done. `str(error)` is fit to be shown to the person who asked for it."""


class UnknownMethod(GenerationError):
    """No method of this name is registered."""


class BadSettings(GenerationError):
    """The settings of a run do not suit its method; the text says which."""


class MissingModel(GenerationError):
    """A model that the settings name cannot be loaded; the text says which and why."""


class NoSentences(GenerationError):
    """The corpus holds nothing to rewrite."""


class ModelsChanged(GenerationError):
    """The models are not those that the run began with, so its rows could not be repeated."""


class NotNow(GenerationError):
    """The state of a run does not allow what was asked of it; the text says which and why."""
