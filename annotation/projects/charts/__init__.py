"""Where the marks of a chart stand: from plain values to the attributes of SVG elements.

Across, everything is in percent of the width, so that a chart fills its place on a desk and on a
phone while its letters keep their size; down, in pixels. Every number is a string with a point,
whatever the language of the page: SVG knows no other.
"""
