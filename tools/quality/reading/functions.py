"""Functions of every language as lizard measures them."""

from ..facts.measures import Function


def functions_of(path: str, text: str) -> list[Function]:
    """Return what lizard measures; it reads every language it knows without their compilers."""
    import lizard

    try:
        info = lizard.analyze_file.analyze_source_code(path, text)
    except (RecursionError, IndexError, ValueError, AttributeError):  # its readers guess, and can guess wrong
        return []
    return [
        Function(
            name=each.name,
            line=each.start_line,
            end=each.end_line,
            complexity=each.cyclomatic_complexity,
            lines=each.nloc,
            parameters=len([name for name in each.parameters if name not in ("self", "cls", "*", "/", "")]),
        )
        for each in info.function_list
        if each.name != "*global*"
    ]
