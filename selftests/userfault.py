# SPDX-License-Identifier: GPL-2.0-only
"""A process that owns a socket for as long as a test needs (see lib.py).

getsockopt() writes the service code with the socket locked.  Here it writes to memory that
userfaultfd withholds, so the process waits in the middle of the call, with the socket
locked.  Meanwhile packets go to the socket's backlog, and timers find that it is owned.
"""
import contextlib
import ctypes
import fcntl
import mmap
import os
import select
import struct
import threading

from lib import SERVICE, SOL_DCCP, Skip, check, check_equal, libc

SYS_USERFAULTFD = 323
UFFD_API = 0xaa
UFFDIO_REGISTER_MODE_MISSING = 1


def request(number, size):
    """_IOWR(UFFD_API, number, size)"""
    return 3 << 30 | size << 16 | UFFD_API << 8 | number


UFFDIO_API, UFFDIO_REGISTER, UFFDIO_ZEROPAGE = request(0x3f, 24), request(0, 32), request(4, 32)


def getsockopt(s, name, value, size):
    """Python's own would keep its other threads waiting."""
    return libc.getsockopt(s.fileno(), SOL_DCCP, name, ctypes.c_void_p(value),
                           ctypes.byref(ctypes.c_int(size)))


@contextlib.contextmanager
def locked(s):
    """The socket is owned until the end of the with block."""
    faults = libc.syscall(SYS_USERFAULTFD, os.O_CLOEXEC | os.O_NONBLOCK)
    if faults < 0:
        raise Skip(f"userfaultfd: {os.strerror(ctypes.get_errno())}")
    fcntl.ioctl(faults, UFFDIO_API, struct.pack("QQQ", UFFD_API, 0, 0))
    memory = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    page = ctypes.c_char.from_buffer(memory)
    where = ctypes.addressof(page), mmap.PAGESIZE
    fcntl.ioctl(faults, UFFDIO_REGISTER,
                struct.pack("QQQQ", *where, UFFDIO_REGISTER_MODE_MISSING, 0))
    result = []
    owner = threading.Thread(target=lambda: result.append(
        getsockopt(s, SERVICE, where[0], mmap.PAGESIZE)))
    owner.start()
    try:
        check(select.select([faults], [], [], 60)[0], f"it does not come to its data: {result}")
        yield
    finally:
        fcntl.ioctl(faults, UFFDIO_ZEROPAGE, struct.pack("QQQq", *where, 0, 0))
        owner.join()
        del page
        os.close(faults)
    check_equal(result, [0], "what getsockopt() of the owner returned")
