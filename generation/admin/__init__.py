"""Admin pages for corpora, sentences, runs, batches and candidates."""

from generation.admin import runs, sentences

__all__ = ["runs", "sentences"]
