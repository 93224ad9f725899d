# SPDX-License-Identifier: GPL-2.0-only
"""DCCP connections with the congestion controls for media of dccp-ccids.

    import dccp_ccids as dccp

    with dccp.connect("192.0.2.1", 5001, ccid="marc") as connection:
        connection.send(b"hello")
        print(connection.allowed_rate(), "bytes/s")
"""
from .connection import IPPROTO_DCCP as IPPROTO_DCCP
from .connection import SOCK_DCCP as SOCK_DCCP
from .connection import SOL_DCCP as SOL_DCCP
from .connection import CcidList as CcidList
from .connection import Changes as Changes
from .connection import Connection as Connection
from .connection import Options as Options
from .connection import ccid_name as ccid_name
from .connection import ccid_numbers as ccid_numbers
from .connection import connect as connect
from .connection import listen as listen
from .structure import Structure as Structure
from .uapi import *  # noqa: F403
from .version import __version__ as __version__

