# SPDX-License-Identifier: GPL-2.0-only
"""lab/build running: the donor, up to the place where the kernel would be needed."""

import os
import shutil
import subprocess

from labkit.experiment import LAB

# It writes down its donor, and fails if there is none of this name.
PREPARE = """#!/bin/sh
echo "$1 ${DCCP_DONOR-}" >>"$SEEN"
[ "${DCCP_DONOR##*/}" != wrong ]
"""


def test_donor(tmp_path):
    """make install has that of make, as a path; an empty one and one that is wrong are not kept."""
    for name in "build", "common.sh":
        (tmp_path / "lab").mkdir(exist_ok=True)
        shutil.copy(os.path.join(LAB, name), tmp_path / "lab")
    prepare = tmp_path / "dccp_core/prepare"
    prepare.parent.mkdir()
    prepare.write_text(PREPARE)
    prepare.chmod(0o755)
    uname = tmp_path / "bin/uname"
    uname.parent.mkdir()
    uname.write_text("#!/bin/sh\necho 7.3.0-test\n")
    uname.chmod(0o755)
    env = {name: value for name, value in os.environ.items()
           if name not in ("LAB_BUILD", "LAB_CACHE", "DCCP_DONOR")}
    env |= {"SEEN": str(tmp_path / "seen"), "PATH": f"{uname.parent}:{env['PATH']}"}
    here = f"{tmp_path}/linux.tar.xz"
    for donor, taken in (("linux.tar.xz", here), (None, here), ("wrong", f"{tmp_path}/wrong"),
                         (None, here), ("", ""), (None, "")):
        done = subprocess.run(["bash", "lab/build", "running"], cwd=tmp_path, text=True,
                              env=env if donor is None else {**env, "DCCP_DONOR": donor},
                              capture_output=True, check=False)
        assert (tmp_path / "seen").read_text().splitlines()[-1] == f"--check {taken}", done.stderr
        assert ("as in the last build" in done.stderr) == (donor is None and bool(taken))
