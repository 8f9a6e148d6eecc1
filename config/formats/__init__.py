"""How dates and times are written, in one form for each language: pages and admin alike."""
