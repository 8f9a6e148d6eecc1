"""Tables as LaTeX."""

from annotation.stats.latex import as_latex

ROWS = [
    ("", "50 % of #1", "All"),
    ("# Raw pairs", "16,280", "66,280"),
    ("[a_b] & c", "{x}", "$~^\\"),
    ("    paraphrase", "", "92.0%"),
]
TABLE = r"""\begin{table}
\centering
\caption{Table 3: R\&D}
\label{tab:table-3}
\begin{tabular}{lrr}
\toprule
 & 50 \% of \#1 & All \\
\midrule
\# Raw pairs & 16,280 & 66,280 \\
{[}a\_b{]} \& c & \{x\} & \$\textasciitilde{}\textasciicircum{}\textbackslash{} \\
\quad \quad paraphrase &  & 92.0\% \\
\bottomrule
\end{tabular}
\end{table}
"""


def test_a_table_is_set_with_booktabs_as_it_is():
    assert as_latex(ROWS, caption="Table 3: R&D", label="table-3") == TABLE


def test_a_table_without_a_header_has_no_rule_in_it():
    assert "\\midrule" not in as_latex(ROWS[1:], caption="", label="")
