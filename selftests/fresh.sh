# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the tests on a bare Debian share: readme.sh and elements.sh source this.	Kernels: none
#
# mmdebstrap makes the bare system, with Debian's kernel, and leaves it in build/fresh. A test
# installs in an overlay over it what its pages name, from Debian's servers, and starts guests
# whose root is that overlay (fresh-guest.sh).

# shellcheck disable=SC2034	# the tests use them
top=$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")
cache=${LAB_CACHE:-$top/build}
build=${LAB_BUILD:-$top/build}
export LAB_CACHE=$cache LC_ALL=C
release=''	# of the test: the Debian, and the files in which line() looks
pages=()
n=0
failed=0

skip() {
	echo "1..0 # SKIP $*"
	exit 4
}

# own_mounts RELEASE...: start the test again, with --inside, where its mounts end with it
own_mounts() {
	[ "$(id -u)" = 0 ] || skip "it takes root"
	for program in curl mmdebstrap unshare; do
		command -v $program >/dev/null || skip "no $program: make setup"
	done
	unshare --mount true 2>/dev/null || skip "no mounts of one's own can be had here"
	"$top/lab/run" -- true >/dev/null 2>&1 || skip "no guest: make setup, make modules KERNEL=uml"
	curl -sfI http://deb.debian.org/debian/ >/dev/null || skip "no network"
	exec unshare --mount --pid --fork --kill-child -- "$0" --inside "$@"
}

# ok DESCRIPTION COMMAND...: the command must succeed; what it says is shown if not.
ok() {
	local what=$1
	shift
	n=$((n + 1))
	if "$@" >"$work/said" 2>&1; then
		echo "ok $n - $release: $what"
	else
		failed=1
		tail -n 40 "$work/said" | sed 's/^/# /'
		echo "not ok $n - $release: $what"
	fi
}

# line START: the only command of the $pages that begins so, as one line
line() {
	local found

	found=$(cd "$top" && sed -n -e ':more' -e '/\\$/{N; s/\\\n *//; b more' -e '}' \
		-e 's|^   *\('"$1"'.*\)|\1|p' "${pages[@]}" | sed 's/   *#.*//' | sort -u)
	[ "$(wc -l <<<"$found")" = 1 ] || echo "# not one line with '$1': $found" >&2
	echo "$found"
}

# A shell in the system, as root; nothing is loaded on this machine.
inside() {
	chroot "$root" setpriv --bounding-set=-sys_module --inh-caps=-sys_module env -i \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
		DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 sh -ec "cd /home/user/dccp && $1"
}

# timed COMMAND: $took has its seconds, and those of the processor
total=0
processor=0
timed() {
	local TIMEFORMAT='%0R %0U %0S' elapsed user system status

	exec 3>&1
	{
		time inside "$1" >&3 2>&3
	} 2>"$work/time"
	status=$?
	exec 3>&-
	read -r elapsed user system <"$work/time"
	took="$elapsed s, $((user + system)) s of the processor"
	total=$((total + elapsed))
	processor=$((processor + user + system))
	return "$status"
}

# guest BUILD OPTIONS...: lab/run with the modules of a build folder; its $status
guest() {
	local modules=$1
	shift
	(cd "$work/run" && LAB_BUILD=$modules "$top/lab/run" --memory 2G --timeout 6000 "$@") \
		>"$work/guest" 2>"$work/guest.errors"
	status=$?
}

bare() {
	local suites=main base=$cache/fresh/$release

	[ ! -e "$base/.complete" ] || return 0
	rm -rf "$base"
	mkdir -p "$cache/fresh"
	mmdebstrap --quiet --variant=important --components="$suites" \
		--include=linux-image-amd64 "$release" "$base.new" \
		"deb http://deb.debian.org/debian $release main" \
		"deb http://deb.debian.org/debian $release-updates main" \
		"deb http://deb.debian.org/debian-security $release-security main" || return
	mv "$base.new" "$base"
	touch "$base/.complete"
}

# fresh FOLDER: the system of $release in $root, with this repository in /home/user/dccp; what
# belongs to it is in $work, a folder of build/FOLDER
fresh() {
	work=$build/$1/$release
	root=$work/root
	total=0 processor=0
	rm -rf "$work"
	mkdir -p "$work/upper" "$work/work" "$root" "$work/run"
	ok "bare system" bare
	mount -t overlay -o "lowerdir=$cache/fresh/$release,upperdir=$work/upper,workdir=$work/work" \
		root "$root"
	mount -t proc proc "$root/proc"
	mount -t sysfs -o ro sys "$root/sys"
	mount --rbind /dev "$root/dev"
	cp /etc/resolv.conf "$root/etc/"
	# The answer to apt's question, and no services.
	echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/yes"
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	chmod +x "$root/usr/sbin/policy-rc.d"
	chroot "$root" useradd -m user
	mkdir "$root/home/user/dccp"
	git -c safe.directory="$top" -C "$top" ls-files -z |
		tar -C "$top" --null -T - -c | tar -C "$root/home/user/dccp" -x
	ok "apt update" inside "apt update"
}
