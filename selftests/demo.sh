#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# lab/demo: a short one ends well, and one whose guest fails does not; the guest's part, when
# modules load slowly and when a server does not listen.	Kernels: host

# shellcheck disable=SC2317	# is() calls functions

top=$(dirname "$(dirname "$(realpath "$0")")")
build=${LAB_BUILD:-$top/build}
short=$build/demo-short
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=selftests/is.sh
. "$top/selftests/is.sh"

# Of each stream at least half of the frames arrived, at half of the video's rate or more.
plausible() {
	python3 - "$short/demo.json" <<'EOF2'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    data = json.load(file)
for run in data["runs"]:
    for name, result in run["results"].items():
        print(name, result["decoded_percent"], result["alone"])
        assert result["decoded_percent"] > 50 and result["alone"] > data["video"] / 2
EOF2
}

# No module of MARC's in the guest
without_module() {
	mkdir -p "$work/build/uml" "$work/build/demo-short"
	cp -r "$build/uml/modules" "$work/build/uml/"
	find "$work/build/uml" -name ccid_marc.ko -delete
	touch "$work/build/uml/modules/.complete"
	cp "$short"/video-*.ts "$work/build/demo-short/"
	LAB_BUILD=$work/build "$top/lab/demo" --short
}

# in_guest COMMAND: the guest's part of the short demo, after a command that changes the guest
in_guest() {
	(cd "$short/1" && "$top/lab/run" --timeout 3000 -- sh -c \
		"$1; exec python3 $top/lab/labkit/demo_guest.py scenario.json")
}

echo "TAP version 13"
why=
if [ ! -w "$build" ]; then
	why="build is not there, or is somebody else's: make setup"
elif ! "${LAB_CACHE:-$top/build}/venv/bin/python" -c "import dpkt, matplotlib" 2>/dev/null ||
		[ -z "$(command -v ffmpeg)" ]; then
	why="no lab: make setup"
elif "$top/lab/run" -- true >/dev/null 2>&1; [ $? = 2 ]; then
	why="no guest: make setup, make modules KERNEL=uml"
fi
[ -z "$why" ] || {
	echo "1..0 # SKIP $why"
	exit 4
}
echo "1..6"
is "the short demo" 0 "^CCID, sender to receiver  *3 / 3  *248 / 248$" "$top/lab/demo" --short
is "its results" 0 "^marc " plausible
is "the short demo over UDP" 0 "^CCID, sender to receiver  *3 / 3  *248 / 248$" \
	"$top/lab/demo" --short --udp
# While a module loads on a busy host, virtual time goes on by minutes in QEMU.
is "modules that take 1000 s to load" 0 "video over marc" in_guest \
	'echo "install ccid_marc sleep 1000; modprobe -i ccid_marc" >/etc/modprobe.d/slow.conf'
is "a server that ends" 1 "nothing listens on port 5300" in_guest \
	"printf '#!/bin/sh\n' >$top/build/tools/dccperf"
is "a guest that fails" 1 "^demo: streaming, run 1: run failed" without_module
exit $failed
