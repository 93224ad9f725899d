# SPDX-License-Identifier: GPL-2.0-only
"""What the examples make of a path that changes. The connections are pairs of local sockets."""
import errno
import os
import socket
import sys

import pytest

from dccp_ccids import Connection

sys.path.append(os.path.join(os.path.dirname(__file__), "../../examples"))
import adaptive


class Local(Connection):
    """A connection whose path takes shorter packets after the first one."""
    max_packet_size = 1400

    def offer(self, data):
        if len(data) > self.max_packet_size:
            raise OSError(errno.EMSGSIZE, "Message too long")
        self.max_packet_size = 600
        return super().offer(data)


@pytest.fixture
def ends():
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    there.settimeout(10)
    with Local(fileno=here.detach()) as connection, there:
        pacer = adaptive.Pacer(connection)
        pacer.start()
        yield pacer, there


def test_a_path_takes_shorter_packets(ends):
    pacer, there = ends
    pacer.put(bytes(14 * 188))
    assert [len(there.recv(2000)) // 188 for _ in range(4)] == [7, 3, 3, 1]
    assert pacer.finish() == 14 * 188


@pytest.mark.parametrize("end", [
    lambda pacer: pacer.finish(),
    lambda pacer: [pacer.join(), pacer.put(b"more")],
])
def test_an_error_of_the_thread_ends_the_program(ends, end):
    pacer, there = ends
    there.close()
    pacer.put(bytes(188))
    with pytest.raises(BrokenPipeError):
        end(pacer)
