"""Geometry of charts: from plain values to the attributes of SVG elements.

Horizontal values are percentages of the width, so that a chart fits any screen while its text keeps
its size; vertical values are pixels. Numbers are strings with a decimal point in every language,
because SVG requires it.
"""
