"""Makes `python -m services.cli` the same as `fieldlog`."""

from services.cli import main

if __name__ == "__main__":  # child processes import this file too
    main()
