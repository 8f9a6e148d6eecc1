"""Experiments with models on releases: each says what to fit, and what follows from the scores.

A module has `fits(study)` and `figures(study, results)`. `fits.run` fits, and keeps what is done.
"""
