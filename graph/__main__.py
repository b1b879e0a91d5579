"""`python -m maintainer.graph` and the `maintainer` command."""


def main() -> int:
    """Run the command line and return its exit code."""
    from .cli import main as cli_main

    return cli_main()


if __name__ == "__main__":
    raise SystemExit(main())
