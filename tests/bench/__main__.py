"""`python -m tests.bench`, which `fieldlog bench` runs."""

import cyclopts

from tests.bench.run import bench

if __name__ == "__main__":  # processes that it starts read this file too
    cyclopts.run(bench)
