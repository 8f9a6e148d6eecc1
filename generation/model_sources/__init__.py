"""Sources of models: the catalogue of known models, and the places to fetch them from."""
