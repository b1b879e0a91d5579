"""What is wrong with a repository, and how bad it is: libraries read, small functions judge."""
