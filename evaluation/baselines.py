"""Baselines in numpy: never, overlap and bag of words."""
