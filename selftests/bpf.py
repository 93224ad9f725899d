# SPDX-License-Identifier: GPL-2.0-only
"""BPF programs, by the system call (see lib.py)."""
import ctypes
import os
import struct

from lib import at_end, libc

BPF = 321
MAP_CREATE, MAP_UPDATE_ELEM, PROG_LOAD, PROG_ATTACH, LINK_CREATE = 0, 2, 5, 8, 28


def bpf(command, attributes):
    buffer = ctypes.create_string_buffer(attributes.ljust(128, b"\0"), 128)
    result = libc.syscall(BPF, command, buffer, 128)
    if result < 0:
        raise OSError(ctypes.get_errno(), "bpf()")
    return result


def load(kind, program, attach=0):
    """Load a program, a list of instructions. attach: where it will be attached, if it matters."""
    program = b"".join(program)
    code, licence = (ctypes.create_string_buffer(b) for b in (program, b"GPL"))
    # instructions, licence; log; version, flags, name, device
    there = bpf(PROG_LOAD, struct.pack("=IIQQIIQII16sII", kind, len(program) // 8,
                                       ctypes.addressof(code), ctypes.addressof(licence),
                                       0, 0, 0, 0, 0, b"", 0, attach))
    at_end.append(lambda: os.close(there))
    return there


def instruction(code, target=0, source=0, value=0, offset=0):
    return struct.pack("=BBhi", code, source << 4 | target, offset, value)


def copy(target, source):
    return instruction(0xbf, target, source)


def put(target, value):
    return instruction(0xb7, target, value=value)


def call(function):
    return instruction(0x85, value=function)


def load_word(target, source, offset):
    return instruction(0x61, target, source, offset=offset)


def store_word(target, offset, source):
    return instruction(0x63, target, source, offset=offset)


def skip_unless_equal(target, value, instructions):
    return instruction(0x55, target, value=value, offset=instructions)


def skip_if_equal(target, value, instructions):
    return instruction(0x15, target, value=value, offset=instructions)


END = instruction(0x95)
