"""`python -m services.cli` is `fieldlog`."""

from services.cli import main

if __name__ == "__main__":  # processes that it starts read this file too
    main()
