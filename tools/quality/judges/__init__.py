"""One module per kind of problem: a function from the project to findings."""
