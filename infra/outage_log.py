"""Logs an outage as two lines, one when it begins and one when it is over, however many callers met it."""

from time import monotonic

from structlog.typing import FilteringBoundLogger


class Outage:
    """Counts the failures of one outage and logs its begin and end.

    `gone` and `back` are the names of the two log lines.
    """

    def __init__(self, log: FilteringBoundLogger, gone: str, back: str) -> None:
        self._log = log
        self._gone = gone
        self._back = back
        self._began: float | None = None
        self._failed = 0
        self._code = ""

    @property
    def is_on(self) -> bool:
        """Whether it has begun and is not over."""
        return self._began is not None

    def begin(self, failure: object, code: str = "") -> None:
        """Note a failure. Logs once per outage, and again when `code` changes."""
        if self._began is None:
            self._began = monotonic()
            self._failed = 0
        elif code in ("", self._code):
            return
        self._code = code
        reason = str(failure) or type(failure).__name__  # a TimeoutError mostly says nothing
        self._log.warning(self._gone, failure=reason, **({"code": code} if code else {}))

    def missed(self, failure: object) -> None:
        """Note a failure and count it."""
        self.begin(failure)
        self._failed += 1

    def end(self) -> None:
        """End the outage, if there is one, and log its seconds and the number of failures."""
        if self._began is not None:
            self._log.info(self._back, failed=self._failed, away_seconds=round(monotonic() - self._began, 1))
            self._began = None
