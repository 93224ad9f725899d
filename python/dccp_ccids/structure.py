# SPDX-License-Identifier: GPL-2.0-only
"""What the structures of the socket options have in common."""
import ctypes
from collections.abc import Iterator
from typing import Any, ClassVar


class Structure(ctypes.Structure):
    """A structure of <linux/dccp_ccid.h>.

    A value that does not fit in its member is refused, where ctypes alone would cut it, and so is
    a member that does not exist. An array is set as a whole: ctypes cuts what is put in one place
    of it.
    """
    #: Number of the socket option that takes or returns the structure
    OPTION: ClassVar[int]
    #: What each member means, with its unit and its range
    MEANINGS: ClassVar[dict[str, str]] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(type(self), name):
            raise AttributeError(f"{type(self).__name__} has no {name}: expected one of "
                                 f"{', '.join(self.MEANINGS)}")
        before = bytes(self)
        super().__setattr__(name, value)
        if name in self.MEANINGS and plain(getattr(self, name)) != plain(value):
            ctypes.memmove(ctypes.addressof(self), before, len(before))
            raise ValueError(f"{self.explain(name, value)}, does not fit")

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """The members with their values: dict(structure)."""
        for name, *_ in self._fields_:
            value = getattr(self, name)
            if not name.startswith("reserved") and not isinstance(value, ctypes.Union):
                yield name, plain(value)

    def __repr__(self) -> str:
        members = ", ".join(f"{name}={value}" for name, value in self)
        return f"{type(self).__name__}({members})"

    @classmethod
    def explain(cls, name: str, value: Any) -> str:
        """What a value of a member would be, for messages."""
        return f"{cls.__name__}.{name}={value} ({cls.MEANINGS[name]})"


def plain(value: Any) -> Any:
    """An array as a tuple, a structure as a dictionary."""
    if isinstance(value, Structure):
        return dict(value)
    return tuple(value) if isinstance(value, ctypes.Array | list) else value
