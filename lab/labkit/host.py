# SPDX-License-Identifier: GPL-2.0-only
"""Files of the kernel, compiled for the host."""

import ctypes
import os
import re
import subprocess
import tempfile

from labkit.experiment import TOP


def library(sources, *flags, prelude="lab/userspace.h"):
    """A library of kernel sources, with nothing in <linux/...> but what the prelude has."""
    headers = set()
    for folder in [os.path.dirname(s) for s in sources] + [os.path.join(TOP, "include/net")]:
        for entry in os.listdir(folder):
            if entry.endswith((".c", ".h")):
                with open(os.path.join(folder, entry), encoding="utf-8") as file:
                    headers |= set(re.findall(r"^#include <(linux/[\w/]+\.h)>", file.read(), re.M))
    with tempfile.TemporaryDirectory() as work:
        for header in (headers | {"linux/dccp.h"}) - {"linux/dccp_ccid.h"}:
            path = os.path.join(work, "include", header)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8"):
                pass
        output = os.path.join(work, "library.so")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", output,
                        "-include", os.path.join(TOP, prelude), "-I", os.path.join(work, "include"),
                        "-I", os.path.join(TOP, "include"), "-I", os.path.join(TOP, "include/uapi"),
                        *flags, *sources], check=True)
        return ctypes.CDLL(output)
