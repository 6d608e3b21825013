"""How a command says no."""

EXIT_FAILED = 1
EXIT_BAD_SETTING = 2
EXIT_TRY_AGAIN = 69  # sysexits' EX_UNAVAILABLE: what was missing may come back
EXIT_WILL_NOT = 78  # sysexits' EX_CONFIG: starting it again changes nothing


class Refused(Exception):  # noqa: N818 - it states what is the case, as rejections do
    """A command cannot do what was asked: one sentence for the terminal, and the exit code."""

    def __init__(self, sentence: str, exit_code: int = EXIT_FAILED) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
