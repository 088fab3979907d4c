# SPDX-License-Identifier: LGPL-3.0-or-later
"""Errors of the library as exceptions."""
from __future__ import annotations

import enum
from typing import NoReturn


class Code(enum.IntEnum):
    """What went wrong, as SinoError in C."""
    FAILED = 0
    BAD_GRAPH = 1
    BAD_PROPERTY = 2
    NOT_FOUND = 3
    BAD_FORMAT = 4
    BAD_FILE = 5
    EXISTS = 6
    NO_SPACE = 7
    MEMORY = 8
    DEVICE = 9
    LOST_FRAME = 10
    SHORT_SCAN = 11


class Error(RuntimeError):
    """An error of Sinograph.

    message: what is wrong and what to do; node, property: names of the node and the property that it is about, or None;
    code: a Code.
    """
    message: str
    code: Code
    node: str | None
    property: str | None

    def __init__(self, message: str, code: Code = Code.FAILED, node: str | None = None,
                 property: str | None = None) -> None:
        super().__init__(message)
        self.message, self.code, self.node, self.property = message, code, node, property

    def __reduce__(self):
        return type(self), (self.message, self.code, self.node, self.property)


class Cancelled(Error):
    """The run was cancelled."""


class Doubt(UserWarning):
    """A message of a node that people should look at, as an axis that was assumed."""


def raise_error(message, code, node, property) -> NoReturn:
    """`code`: None for errors of GIO, of which only the cancellation occurs."""
    if code is None:
        raise Cancelled(message)
    raise Error(message, Code(code), node, property)
