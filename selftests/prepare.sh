#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dccp_core/prepare, for a kernel without DCCP: the donor may be a source tree, an archive or a
# package, and nothing else.  The results are the same.  For one with DCCP: what it says of a
# source that is too new.	Kernels: host

# shellcheck disable=SC2016,SC2317	# is() calls functions and sh -c

shopt -s nullglob
top=$(dirname "$(dirname "$(realpath "$0")")")
cache=${LAB_CACHE:-$top/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=selftests/is.sh
. "$top/selftests/is.sh"

echo "TAP version 13"
headers=("$cache"/linux/7.*/root/usr/src/linux-headers-*-amd64)
older=("$cache"/linux/6.12/root/usr/src/linux-headers-*-amd64)
tree=$cache/linux/6.12/source
packages=("$cache"/debs/linux-source-6.12_*.deb)
others=("$cache"/debs/linux-source-6.1_*.deb "$cache"/debs/linux-source-[7-9].*.deb)
if [ ${#headers[@]} -eq 0 ] || [ ! -d "$tree" ] || [ ${#packages[@]} -eq 0 ]; then
	echo "1..0 # SKIP no kernel without DCCP: lab/setup 7.3"
	exit 4
fi
package=${packages[-1]}
archive=$work/linux-source-6.12.tar.xz
dpkg-deb --fsys-tarfile "$package" | tar -xO ./usr/src/linux-source-6.12.tar.xz >"$archive"
# As those of kernel.org: Debian has the aliases that load DCCP in comments.  With some
# folders only
release=linux-6.12.$(sed -n 's/^SUBLEVEL = //p' "$tree/Makefile")
mkdir -p "$work/kernel.org/$release"
(cd "$tree" && cp -r --parents Makefile include/linux include/net net/dccp net/ipv4 net/ipv6 \
	"$work/kernel.org/$release")
sed -i 's,^/\* \(MODULE_ALIAS_NET_PF_PROTO_TYPE(.*);\) \*/$,\1,' \
	"$work/kernel.org/$release/net/dccp/ipv"[46].c
tar -C "$work/kernel.org" -czf "$work/$release.tar.gz" "$release"

# with DONOR DEST: a donor that is named, with no other source to be found
with() {
	DCCP_DONOR=$1 DCCP_SOURCES=$work/nothing DCCP_KEEP='' \
		"$top/dccp_core/prepare" "${headers[-1]}" "$work/$2"
}

# An earlier version has kept a donor without a file that is needed now.
kept() {
	mkdir "$work/kept"
	cp -r "$work/kernel.org/$release" "$work/kept/"
	rm "$work/kept/$release/net/ipv6/inet6_hashtables.c"
	DCCP_DONOR='' DCCP_SOURCES=$work DCCP_KEEP=$work/kept \
		"$top/dccp_core/prepare" "${headers[-1]}" "$work/again" &&
		[ -e "$work/kept/$release/net/ipv6/inet6_hashtables.c" ]
}

# Three versions were kept, with marks that say which. By name the order is 10, 11, 9.
three_kept() {
	local version

	for version in 9 10 11; do
		cp -r "$work/kernel.org/$release" "$work/three/linux-6.12.$version"
		sed -i "1i /* 6.12.$version */" "$work/three/linux-6.12.$version/net/dccp/ackvec.h"
	done
}
# from FOLDER: the mark of what is taken if that is where Debian's archive would be
from() {
	DCCP_DONOR='' DCCP_SOURCES=$1 DCCP_KEEP=$work/three \
		"$top/dccp_core/prepare" "${headers[-1]}" "$work/from" &&
		head -n 1 "$work/from/net/dccp/ackvec.h"
}

# refused DONOR: nothing is made, and an error is one line
refused() {
	local said status

	said=$(with "$1" refused 2>&1)
	status=$?
	echo "$said"
	[ ! -e "$work/refused" ] && [ "$(wc -l <<<"$said")" = 1 ] || return 9
	return "$status"
}

same() {
	diff -r "$work/tree" "$work/$1" && echo "the same"
}

echo "1..17"
is "no donor" 1 "^dccp-ccids: .* install linux-source-6.12" refused ""
is "a source tree" 0 "" with "$tree" tree
is "an archive of Debian's" 0 "" with "$archive" archive
is "its files are those of the tree" 0 "^the same$" same archive
is "kernel.org's has the aliases that load DCCP" 0 "^4$" sh -c \
	'cat "$1"/net/dccp/ipv[46].c | grep -c ^MODULE_ALIAS_NET_PF' - "$work/kernel.org/$release"
is "an archive of kernel.org's" 0 "" with "$work/$release.tar.gz" other
is "its files are those of the tree" 0 "^the same$" same other
is "a package" 0 "" with "$package" package
is "its files are those of the tree" 0 "^the same$" same package
is "what was kept lacks a file" 0 "" kept
is "the files are those of the tree" 0 "^the same$" same again
mkdir "$work/three"
three_kept
is "of those that were kept the newest is taken" 0 "^/\* 6\.12\.11 \*/$" from "$work/nothing"
is "and the archive before all of them" 0 "^/\* SPDX" from "$work"
is "a folder without a kernel" 1 "^dccp-ccids: no source of Linux in " refused "$work"
is "a file that is no archive" 1 "^dccp-ccids: could not unpack .*/README.md: " refused "$top/README.md"

# A kernel with DCCP, and Debian's archive is newer than its headers.
newer() {
	mkdir -p "$work/newer/linux-source-6.12"
	printf '%s = %s\n' VERSION 6 PATCHLEVEL 12 SUBLEVEL 99999 >"$work/newer/linux-source-6.12/Makefile"
	tar -C "$work/newer" -czf "$work/newer/linux-source-6.12.tar.gz" linux-source-6.12
	DCCP_SOURCES=$work/newer DCCP_KEEP='' "$top/dccp_core/prepare" --check "$1" "$work/newer"
}
name="a source that is newer than the headers"
if [ ${#older[@]} -gt 0 ]; then
	is "$name" 1 "apt install 'linux-source-6.12=6.12.[0-9]*-\*'$" newer "${older[0]}"
else
	echo "ok $((++n)) $name # SKIP no headers of 6.12"
fi
name="a package of another kernel"
if [ ${#others[@]} -gt 0 ]; then
	is "$name" 1 "^dccp-ccids: could not unpack .*: .*-6.12.*Not found" refused "${others[0]}"
else
	echo "ok $((++n)) $name # SKIP there is none here"
fi
exit $failed
