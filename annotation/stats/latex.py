"""Tables as LaTeX, for papers. They need the package booktabs."""

from collections.abc import Sequence

PACKAGES = "% In the preamble: \\usepackage{booktabs}\n"
# A bracket or an asterisk at the start of a row would belong to the end of the row before.
_ESCAPED = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {character: f"{{{character}}}" for character in "[]*"}
    | {
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
        "<": "\\textless{}",
        ">": "\\textgreater{}",
        "|": "\\textbar{}",
    }
)
# Spaces of a label for each \quad.
INDENT = 2


def escape(text: str) -> str:
    """Return a text that LaTeX sets as it is."""
    return text.translate(_ESCAPED)


def as_latex(rows: Sequence[Sequence[str]], *, caption: str, label: str) -> str:
    """Format a table; a first row without a label is its header."""
    lines = list(map(_line, rows))
    if not rows[0][0]:
        lines.insert(1, "\\midrule")
    return "\n".join(
        (
            "\\begin{table}",
            "\\centering",
            f"\\caption{{{escape(caption)}}}",
            f"\\label{{tab:{label}}}",
            f"\\begin{{tabular}}{{l{'r' * (len(rows[0]) - 1)}}}",
            "\\toprule",
            *lines,
            "\\bottomrule",
            "\\end{tabular}",
            "\\end{table}",
            "",
        )
    )


def _line(row: Sequence[str]) -> str:
    label, *cells = row
    text = label.lstrip()
    indent = "\\quad " * ((len(label) - len(text)) // INDENT)
    return " & ".join((f"{indent}{escape(text)}", *map(escape, cells))) + " \\\\"
