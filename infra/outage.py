"""An outage in the log of the process: one line when it begins and one when it is over, however many met it."""

from time import monotonic

from structlog.typing import FilteringBoundLogger


class Outage:
    """Counts who was turned away by something that is not there, and logs only that it went and that it is back.

    `gone` and `back` are the names of the two log lines.
    """

    def __init__(self, log: FilteringBoundLogger, gone: str, back: str) -> None:
        self._log = log
        self._gone = gone
        self._back = back
        self._began: float | None = None
        self._failed = 0
        self._code = ""

    def begin(self, failure: object, code: str = "") -> None:
        """Note that it is away; logged unless that is known already, and again where the code is another one."""
        if self._began is None:
            self._began = monotonic()
            self._failed = 0
        elif code in ("", self._code):
            return
        self._code = code
        self._log.warning(self._gone, failure=str(failure), **({"code": code} if code else {}))

    def missed(self, failure: object) -> None:
        """Count one who needed it and did not get it."""
        self.begin(failure)
        self._failed += 1

    def end(self) -> None:
        """Note that it is there; where it was away, how long (seconds) and how many failed is logged."""
        if self._began is not None:
            self._log.info(self._back, failed=self._failed, away_seconds=round(monotonic() - self._began, 1))
            self._began = None
