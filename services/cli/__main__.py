"""`python -m services.cli` is `fieldlog`."""

from services.cli import main

main()
