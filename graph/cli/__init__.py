"""The command line: parse, call one function, turn foreseen errors into one line."""


def main() -> int:
    """Run the command line and return its exit code."""
    return 0
