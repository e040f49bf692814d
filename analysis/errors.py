"""Errors that reach the user. The text says what, where, the value seen and what to do."""


class InputError(Exception):
    """The folder, file or command line is wrong. The program ends with exit code 2."""


class AnalysisError(Exception):
    """The input is well formed but there is nothing to do with it, or this machine lacks something.

    The program ends with exit code 1.
    """


class NothingToDraw(Exception):
    """A figure does not apply to these results; the text says why. The other figures are drawn."""
