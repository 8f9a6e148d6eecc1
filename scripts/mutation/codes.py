"""Code objects of the functions in a compiled module."""

from types import CodeType


def codes(module: CodeType) -> dict[str, CodeType]:
    """Return the outermost functions and methods of a module, by qualified name and number."""
    found: dict[str, CodeType] = {}

    def visit(code: CodeType) -> None:
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                is_class = "__module__" in constant.co_names and "__qualname__" in constant.co_names
                if is_class:
                    visit(constant)
                else:
                    name, number = constant.co_qualname, 0
                    while (key := f"{name}#{number}") in found:
                        number += 1
                    found[key] = constant

    visit(module)
    return found
