"""Models of generation: corpora, sentences, runs, batches, workers, candidates, replies."""

from generation.models.corpora import Corpus, MergedGroup, Sentence
from generation.models.replies import Reply, Spender
from generation.models.runs import OF_PAIRS, Batch, Candidate, GenerationRun, Method, Queue, Worker

__all__ = [
    "OF_PAIRS",
    "Batch",
    "Candidate",
    "Corpus",
    "GenerationRun",
    "MergedGroup",
    "Method",
    "Queue",
    "Reply",
    "Sentence",
    "Spender",
    "Worker",
]
