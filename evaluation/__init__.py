"""Evaluation: how hard a dataset is for models, and for which ones.

Reads the files of releases, never rows of the database. Sources: PAWS 5-6, PAWS-X 3-4, PARADE 5,
and the ranking of partial paraphrases.
"""
