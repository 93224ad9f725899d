#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# lab/run: its exit status and output for guests that end in various ways. lab/chroot: it does
# not need build/. lab/common.sh: what it says to the other scripts. lab/mutations: its edits can
# be made. lab/bench: an experiment runs, and the unit tests of its measurements pass.	Kernels: host
#
# The tests of starting a QEMU guest again replace virtme-run by a script that starts
# nothing.

# shellcheck disable=SC2317	# is() calls functions

shopt -s nullglob
top=$(dirname "$(dirname "$(realpath "$0")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=selftests/is.sh
. "$top/selftests/is.sh"

# Each of STARTS is what one start does: the kernel complains before the command
# begins, after it, or all is well.
make_virtme() {
	mkdir -p "$work/venv/bin" "$work/6.12/modules/boot"
	touch "$work/6.12/modules/boot/vmlinuz-none" "$work/6.12/modules/.complete"
	cat >"$work/venv/bin/virtme-run" <<'EOF'
#!/bin/bash
while [ "$1" != --rwdir ] || [ "$3" = --rwdir ]; do shift; done
job=$2
read -r start rest <"$STARTS"
echo "$rest" >"$STARTS"
[ "$start" = early ] || : >"$job/begun"
[ "$start" = well ] || { echo "Oops: int3"; exit; }
echo 0 >"$job/status"
EOF
	chmod +x "$work/venv/bin/virtme-run"
}

# starts "HOW...": a guest; what is left of HOW, and its status
starts() {
	local status

	echo "$1" >"$work/starts"
	LAB_CACHE=$work LAB_BUILD=$work STARTS=$work/starts \
		"$top/lab/run" --kernel 6.12 --virtual-time -- true
	status=$?
	echo "left: $(<"$work/starts")."
	return "$status"
}

echo "TAP version 13"
python=${LAB_CACHE:-$top/build}/venv/bin/python
why=
if [ ! -w "${LAB_BUILD:-$top/build}" ]; then
	why="build is not there, or is somebody else's: make setup"
elif ! "$python" -c "import pandas" 2>/dev/null; then
	why="no lab: make setup"
elif "$top/lab/run" -- true >/dev/null 2>&1; [ $? = 2 ]; then
	why="no guest: make setup, make modules KERNEL=uml"
fi
[ -z "$why" ] || {
	echo "1..0 # SKIP $why"
	exit 4
}
make_virtme
echo "1..25"
is "output and exit status are the command's" 3 "^hello$" \
	"$top/lab/run" -- sh -c 'echo hello; exit 3'
is "a kernel that warns" 125 "lab/run: the kernel complained: .*WARNING: of a test" \
	"$top/lab/run" -- sh -c 'echo "WARNING: of a test" >/dev/kmsg'
is "its log is shown" 125 "Linux version" \
	"$top/lab/run" -- sh -c 'echo "WARNING: of a test" >/dev/kmsg'
is "a kernel that crashes" 125 "the kernel complained: " \
	"$top/lab/run" --memory 200M -- sh -c 'sysctl -q vm.panic_on_oom=1; tail /dev/zero'
is "a guest that hangs" 124 "the time limit of 5 s has passed" \
	"$top/lab/run" --timeout 5 --real-time -- sleep 1000
is "a guest that ends before the command does" 125 "the guest ended before" \
	"$top/lab/run" -- busybox poweroff -f
is "a start that fails is made once more" 0 "left: well\.$" starts "early well well"
is "but not twice" 125 "left: well\.$" starts "early early well"
is "nor after the command has begun" 125 "left: well\.$" starts "late well"

# A tree in which nothing was built
in_new_tree() {
	mkdir "$work/tree"
	cp -r "$top/lab" "$work/tree/"
	(cd "$work/tree" && env -u LAB_BUILD LAB_CACHE="${LAB_CACHE:-$top/build}" \
		lab/chroot --trixie cat /etc/debian_version)
}
why=
if [ ! -e "${LAB_CACHE:-$top/build}/trixie/.complete" ]; then
	why="no Debian 13: lab/setup trixie"
elif ! "$top/lab/chroot" true >/dev/null 2>&1; then
	why="lab/chroot cannot run here"
fi
is "lab/guest does nothing on a host" 1 "this is not a guest" "$top/lab/guest" "$work" / /
is "and its --help does nothing else" 0 "^Usage: lab/guest" "$top/lab/guest" --help

# shellcheck disable=SC2016
is "a user's PATH is enough to find depmod" 0 "/sbin/depmod" env PATH=/usr/local/bin:/usr/bin:/bin \
	bash -c '. "$1" && command -v depmod' - "$top/lab/common.sh"

# The sources that lab/build has, when it calls make at last
sources_of_build() {
	mkdir -p "$work/bin" "$work/built/uml/src/ccid_gone"
	ln -s /bin/false "$work/bin/make"
	PATH=$work/bin:$PATH LAB_BUILD=$work/built "$top/lab/build" uml
	[ -e "$work/built/uml/src/ccid_marc" ] && [ ! -e "$work/built/uml/src/ccid_gone" ]
}
is "a CCID that is gone is not built" 0 "" sources_of_build

# lab/check in an unpacked archive
check() {
	mkdir "$work/archive"
	cp -r "$top/lab" "$work/archive/"
	"$work/archive/lab/check"
}
is "lab/check says that it needs the repository" 1 "needs the git repository" check

# COMMAND in a tree whose path has a white space
in_spaces() {
	mkdir -p "$work/white space"
	cp -r "$top/lab" "$top/packaging" "$work/white space/"
	"$work/white space/$1"
}
is "lab/build refuses a path with a white space" 1 "a path with a white space" in_spaces lab/build
is "and packaging/make-deb" 1 "a path with a white space" in_spaces packaging/make-deb

# make clean removes what was built in LAB_BUILD, too, and keeps downloads
clean() {
	mkdir -p "$work/clean"/{lab/{uml,debs},build/{tools,venv}}
	cp "$top/Makefile" "$work/clean/"
	make -s -C "$work/clean" LAB_BUILD="$work/clean/lab" clean
	(cd "$work/clean" && echo */*)
}
is "make clean removes what is in LAB_BUILD, too" 0 "^build/venv lab/debs$" clean

# On a machine that runs Debian's kernel, where the lab has the source of an older one
with_older_source() {
	cat >"$work/running" <<'EOF'
work=$(mktemp -d)
source=$work/linux/6.12/source
mkdir -p "$source/net/dccp" "$work/bin" /lib/modules/6.12.0-test
printf '%s = %s\n' VERSION 6 PATCHLEVEL 12 SUBLEVEL 1 >"$source/Makefile"
printf '#!/bin/sh\necho 6.12.0-test\n' >"$work/bin/uname"
chmod +x "$work/bin/uname"
ln -s "$1" /lib/modules/6.12.0-test/build
PATH=$work/bin:$PATH LAB_CACHE=$work LAB_BUILD=$work/built DCCP_SOURCES=/nowhere \
	lab/build running
EOF
	(cd "$top" && lab/chroot bash -c "$(<"$work/running")" - "$1")
}
headers=("${LAB_CACHE:-$top/build}/linux/6.12/root/usr/src/"linux-headers-*-amd64)
name="for the running kernel the lab's source of another version is not taken"
if [ ${#headers[@]} -eq 0 ]; then
	echo "ok $((++n)) $name # SKIP no headers: lab/setup 6.12"
elif ! "$top/lab/chroot" true >/dev/null 2>&1; then
	echo "ok $((++n)) $name # SKIP lab/chroot cannot run here"
else
	is "$name" 1 "needs the source of Linux 6.12.*: install" with_older_source "${headers[0]}"
fi

name="lab/chroot in a tree without build/"
if [ -n "$why" ]; then
	echo "ok $((++n)) $name # SKIP $why"
else
	is "$name" 0 "^13" in_new_tree
fi

is "lab/mutations finds all that it removes" 0 " can be removed" "$top/lab/mutations" --check

# One run of the example, in a folder of its own; then there is nothing left to do.
bench() {
	"$top/lab/bench" --out "$work/bench" example flow=marc seed=1 "$@"
}
is "unit tests of the experiments' measurements" 0 " passed" \
	env PYTHONPATH="$top/lab" PYTHONDONTWRITEBYTECODE=1 \
	"$python" -m pytest -q -p no:cacheprovider "$top/lab/labkit"
is "an experiment is run" 0 "1 of 1: example MARC, seed 1" bench
is "its result has what it is a result of" 0 '"sources": "[0-9a-f]\{16\}"' \
	cat "$work/bench/example.json"
is "what is measured is not measured again" 0 "0 runs to do" bench
is "a run that does not exist is refused" 1 "no experiment and no value" bench seed=77
exit $failed
