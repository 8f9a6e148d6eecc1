"""The pages of generation: corpora with their sentences, runs with their batches and candidates."""

from generation.admin import candidates, corpora, runs

__all__ = ["candidates", "corpora", "runs"]
