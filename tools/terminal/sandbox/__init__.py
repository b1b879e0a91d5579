"""The kernel's part: a small process that starts programs inside Landlock, seccomp and resource limits."""
