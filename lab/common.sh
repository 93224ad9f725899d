# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the lab's scripts share: where things are, how to say what went wrong.
#
#   $build/<target>/src      our sources and the patched DCCP, built for one target
#   $build/<target>/modules  the result, ready for depmod and modprobe
#   $cache/debs              downloaded packages
#   $cache/linux/<series>/   source, root (headers and image, unpacked), uml
#   $cache/trixie            a root folder with Debian 13 (lab/chroot --trixie)
#   $cache/fresh/<debian>    bare systems (selftests/fresh.sh)
#   $cache/venv              virtme-ng, Sphinx, and the rest of lab/requirements.txt
#
# LAB_BUILD and LAB_CACHE put these elsewhere than in build/, so that several work
# trees can share downloads and kernels.

# shellcheck disable=SC2034	# the scripts that source this use them
self=${0##*/}
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${LAB_BUILD:-$top/build}
cache=${LAB_CACHE:-$top/build}
uml_series=6.12
# depmod is there, which the PATH of a user of Debian does not have.
PATH=$PATH:/usr/sbin:/sbin

die() {
	echo "lab/$self: $*" >&2
	exit 1
}

say() {
	echo "lab/$self: $*" >&2
}

# Makefiles take a white space in a path for the end of it.
[[ $top$build$cache != *[[:space:]]* ]] ||
	die "a path with a white space, which make cannot handle: $top, LAB_BUILD or LAB_CACHE"

usage() {
	sed -n '/^# Usage/,/^$/s/^# \?//p' "$0"
	exit "${1:-0}"
}

# Wait for other instances that work on the same thing.
lock() {
	mkdir -p "$(dirname "$1")"
	exec 9>"$1"
	if ! flock -n 9; then
		say "waiting for another $self"
		flock 9
	fi
}

# The series of a target: 7.3 of 7.3 and of uml-debug-7.3, 6.12 of uml
series_of() {
	case $1 in
	*-[7-9].*) echo "${1##*-}" ;;
	uml* | smp*) echo "$uml_series" ;;
	*) echo "$1" ;;
	esac
}

# Where the headers of one of Debian's kernels are
headers_of() {
	echo "$cache/linux/$1/root/usr/src/"linux-headers-*-amd64
}

# Do the programs of these headers run here, and is the compiler there that they want?
can_build() {
	local cc

	cc=$(sed -n 's/^CC = .*[ )]\(gcc-[0-9]*\)$/x86_64-linux-gnu-\1/p' "$1/.kernelvariables")
	command -v "${cc:-gcc}" >/dev/null || return
	{ "$1/scripts/basic/fixdep" 2>&1 || :; } | grep -q '^Usage'
}

# Does the Python of lab/setup run, with its packages?  It does not after an upgrade of Debian.
python_works() {
	"$cache/venv/bin/python" -c "import dpkt, jinja2, matplotlib, pandas, scipy, tabulate" 2>/dev/null
}

# Run a program of labkit with its arguments.
labkit() {
	python_works || die "the packages of lab/requirements.txt are missing: run lab/setup"
	PYTHONPATH=$top/lab PYTHONDONTWRITEBYTECODE=1 exec "$cache/venv/bin/python" -m "$@"
}
