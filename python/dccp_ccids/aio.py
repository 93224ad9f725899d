# SPDX-License-Identifier: GPL-2.0-only
"""Connections with asyncio.

``loop.sock_recv()``, ``loop.sock_sendall()`` and ``loop.sock_accept()`` of the standard library
work with connections that do not block. These are the functions that it lacks.
"""
import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator
from typing import Any, Unpack

from .connection import Changes, Connection, Options, check_handshake
from .uapi import Ccid

#: Least and greatest time from one look at the rate to the next, seconds
LOOK_MIN, LOOK_MAX = 0.01, 1.0


async def connect(host: str, port: int, *, timeout: float | None = 10, family: int = 0,
                  **options: Unpack[Options]) -> Connection:
    """Connect to a server. The connection does not block."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, family=family, type=socket.SOCK_DGRAM)
    error: OSError | None = None
    for family, *_, address in found:
        try:
            connection = Connection(family, **options)
        except OSError as e:
            error = error or e
            continue
        try:
            connection.setblocking(False)
            async with asyncio.timeout(timeout):
                await handshake(connection, address)
            return connection
        except OSError as e:
            error = connection.connect_error(e, address)
            connection.close()
        except BaseException:
            connection.close()
            raise
    assert error
    raise error


async def handshake(connection: Connection, address: Any) -> None:
    """connect() of a socket that does not block."""
    number = connection.connect_ex(address)
    try:
        if number:
            raise OSError(number, os.strerror(number))
    except BlockingIOError:
        await ready(connection, write=True)
        number = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if number:
            raise OSError(number, os.strerror(number)) from None
        check_handshake(connection)


async def ready(file: Any, *, write: bool = False) -> None:
    """Wait until a file can be read, or written."""
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    add, remove = ((loop.add_writer, loop.remove_writer) if write else
                   (loop.add_reader, loop.remove_reader))
    number = file.fileno()          # another task may close the file meanwhile
    add(number, lambda: None if future.done() else future.set_result(None))
    try:
        await future
    finally:
        remove(number)


def _over(connection: Connection, changes: Changes) -> bool:
    """Whether the connection has ended, or another task has closed it."""
    return connection.fileno() < 0 or changes.ended()


async def _news(changes: Changes, limit: float) -> None:
    """Wait for an event, up to a limit in seconds, and LOOK_MIN at least.

    While there is an error that nobody reads, such as timestamps of SO_TIMESTAMPING, there is
    always an event. Closed by another task, a connection has none any more.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(limit):
            await asyncio.sleep(LOOK_MIN)
            await ready(changes)


async def rates(connection: Connection) -> AsyncIterator[int]:
    """The allowed rate, bytes/s, now and whenever it has changed.

    For CTFAF's rates the kernel has an event. For other CCIDs this looks at the rate once in a
    round trip: a sender's rate changes when a report arrives, and no more than about one does in
    that time. It ends with the connection, and with a ValueError if the CCID has no rate.
    """
    last = None
    with connection.changes() as changes:
        while not _over(connection, changes):
            try:
                ccid = connection.tx_ccid
                if ccid == Ccid.CCID2:
                    raise ValueError("CCID 2 has no rate")
                rate, rtt = connection.allowed_rate(), connection.rtt
            except OSError:             # it ended just now
                if _over(connection, changes):
                    return
                raise
            if rate is not None and rate != last:
                last = rate
                yield rate
            look = LOOK_MAX if ccid == Ccid.CTFAF else min(max(rtt, LOOK_MIN), LOOK_MAX)
            # DVRC's event is that of its layers, and lasts until those are read.
            await (asyncio.sleep(look) if ccid == Ccid.DVRC else _news(changes, look))


async def layers(connection: Connection) -> AsyncIterator[int]:
    """The number of layers that DVRC allows, now and whenever it has changed."""
    last = None
    with connection.changes() as changes:
        while not _over(connection, changes):
            try:
                k = connection.layers_allowed()
            except OSError:             # it ended just now
                if _over(connection, changes):
                    return
                raise
            if k != last:
                last = k
                yield k
            await _news(changes, LOOK_MAX)
