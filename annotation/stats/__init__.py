"""Statistics of judgments on plain values: consensus, agreement, and the tables of PAWS."""
