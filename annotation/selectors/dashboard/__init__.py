"""What managers and researchers see of a study while it goes on: counted from the rows.

Hidden pairs, whose answers are known, and answers that are held out count in none of the figures;
the lists show them, and say so.
"""
