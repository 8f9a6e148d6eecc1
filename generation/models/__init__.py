"""Models of generation: corpora, sentences, runs, batches, workers and candidates."""

from generation.models.corpora import Corpus, MergedGroup, Sentence
from generation.models.runs import Batch, Candidate, GenerationRun, Method, Queue, Worker

__all__ = [
    "Batch",
    "Candidate",
    "Corpus",
    "GenerationRun",
    "MergedGroup",
    "Method",
    "Queue",
    "Sentence",
    "Worker",
]
