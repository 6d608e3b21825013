"""`python -m tests.bench`, which `fieldlog bench` runs."""

import cyclopts

from tests.bench.run import bench

cyclopts.run(bench)
