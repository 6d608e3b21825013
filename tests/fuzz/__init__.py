"""Coverage-guided fuzzing (atheris) of everything that reads bytes from outside: `python -m tests.fuzz import`."""
