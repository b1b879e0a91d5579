"""What is wrong with a repository, and how bad it is: libraries read, small functions judge.

The house from the top down; each floor imports only what stands below it:

- `engine.py`: one analysis, with `ranking`, `fingerprints`, `suppressions`, `baseline`, `memory` and `words` beside it:
  what becomes of findings.
- `judges/`: from what is known to findings, one module per kind of problem.
- `known/`: what is known of a repository now, from the cache and from what changed.
- `reading/`: one file to facts.
- `risks/`: bugs and holes by the shape of the code, facts of one file each.
- `syntax/`: walks over syntax trees.
- `facts/`: plain data, all that is known of one file.
"""
