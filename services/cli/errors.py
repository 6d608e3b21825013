"""The failure of a command, with its exit code."""

EXIT_FAILED = 1
EXIT_BAD_SETTING = 2
EXIT_TRY_AGAIN = 69  # sysexits' EX_UNAVAILABLE: another attempt may succeed
EXIT_WILL_NOT = 78  # sysexits' EX_CONFIG: another attempt will fail, too
EXIT_INTERRUPTED = 130  # as shells say of what Ctrl-C ended
EXIT_UNREAD = 141  # and of what wrote to a reader that had gone


class Refused(Exception):  # noqa: N818 - it states what is the case, as rejections do
    """A command cannot do what was asked: one sentence for the terminal, and the exit code."""

    def __init__(self, sentence: str, exit_code: int = EXIT_FAILED) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
