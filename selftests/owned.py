# SPDX-License-Identifier: GPL-2.0
"""A process that owns a socket, for as long as a test likes (see lib.py).

send() copies its data with the socket locked.  Here the data is in memory that is not
there yet: userfaultfd lets the process wait for it, in the middle of the copy, as a
process on another processor might be met there.  Packets go to the socket's backlog
meanwhile, and timers find that it is owned.
"""
import contextlib
import ctypes
import fcntl
import mmap
import os
import select
import struct
import threading

from lib import Failure, check, libc

SYS_USERFAULTFD = 323
UFFD_API = 0xaa
UFFDIO_REGISTER_MODE_MISSING = 1


def request(number, size):
    """_IOWR(UFFD_API, number, size)"""
    return 3 << 30 | size << 16 | UFFD_API << 8 | number


UFFDIO_API, UFFDIO_REGISTER, UFFDIO_ZEROPAGE = request(0x3f, 24), request(0, 32), request(4, 32)


@contextlib.contextmanager
def owned(s, size=100):
    """A packet of zeros is being sent, and the socket owned, until the end of the with."""
    faults = libc.syscall(SYS_USERFAULTFD, os.O_CLOEXEC | os.O_NONBLOCK)
    check(faults >= 0, f"userfaultfd: {os.strerror(ctypes.get_errno())}")
    fcntl.ioctl(faults, UFFDIO_API, struct.pack("QQQ", UFFD_API, 0, 0))
    memory = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    page = ctypes.c_char.from_buffer(memory)
    where = ctypes.addressof(page), mmap.PAGESIZE
    fcntl.ioctl(faults, UFFDIO_REGISTER, struct.pack("QQQQ", *where,
                                                     UFFDIO_REGISTER_MODE_MISSING, 0))
    result = []

    def send():
        try:
            result.append(s.send(memoryview(memory)[:size]))
        except OSError as e:
            result.append(e)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        if not select.select([faults], [], [], 5)[0]:
            raise Failure(f"send() does not come to its data: {result}")
        yield result
    finally:
        fcntl.ioctl(faults, UFFDIO_ZEROPAGE, struct.pack("QQQq", *where, 0, 0))
        thread.join()
        del page
        os.close(faults)
