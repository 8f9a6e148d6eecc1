"""Admin pages for corpora, sentences, runs, batches and candidates."""

from generation.admin import candidates, corpora, runs

__all__ = ["candidates", "corpora", "runs"]
