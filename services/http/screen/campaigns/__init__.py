"""The campaigns of an account: lists, new ones, files, forks."""
