#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# README's five lines to the letter, on a bare Debian 12 and a bare Debian 13: from nothing to
# a video over MARC in VLC (make test-readme).	Kernels: none
#
# Usage: selftests/readme.sh bookworm | trixie ...
#
# mmdebstrap makes the bare system, with Debian's kernel, and leaves it in build/fresh. README's
# first two lines install there what they name from Debian's servers, which takes the network.
# The seconds that they take are printed. Then that system's kernel runs in an emulated machine,
# in which that system does what is in the third line, with the modules that dkms has built. VLC
# takes an emulated machine too long. So all three other lines are done by that system in User
# Mode Linux, with the modules of lab/build, and two namespaces as the two machines. Its socat
# sends a file as Documentation/howto/programs.rst says. The packages are also checked by that
# Debian's lintian, upgraded and removed.

# shellcheck disable=SC2016,SC2317	# ok() calls functions and sh -c
set -u
top=$(dirname "$(dirname "$(realpath "$0")")")
cache=${LAB_CACHE:-$top/build}
build=${LAB_BUILD:-$top/build}
export LAB_CACHE=$cache LC_ALL=C
n=0
failed=0

skip() {
	echo "1..0 # SKIP $*"
	exit 4
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

# line START: the only line of README, or of the page of programs, that begins so
line() {
	local found

	found=$(sed -n 's/^   *\('"$1"'.*\)/\1/p' "$top/README.md" "$top/Documentation/howto/programs.rst" |
		sed 's/   *#.*//' | sort -u)
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

if [ "${1-}" != --inside ]; then
	echo "TAP version 13"
	[ $# -gt 0 ] || skip "it takes long, and Debian's servers: make test-readme"
	[ "$(id -u)" = 0 ] || skip "it takes root"
	for program in mmdebstrap ffmpeg unshare; do
		command -v $program >/dev/null || skip "no $program: make setup"
	done
	unshare --mount true 2>/dev/null || skip "no mounts of one's own can be had here"
	"$top/lab/run" -- true >/dev/null 2>&1 || skip "no guest: make setup, make modules KERNEL=uml"
	curl -sfI http://deb.debian.org/debian/ >/dev/null || skip "no network"
	exec unshare --mount --pid --fork --kill-child -- "$0" --inside "$@"
fi
shift

for release; do
	work=$build/readme/$release
	rm -rf "$work"
	mkdir -p "$work/upper" "$work/work" "$work/root" "$work/run"
	ok "bare system" bare
	root=$work/root
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
	kernel=$(basename "$root"/boot/vmlinuz-*)
	kernel=${kernel#vmlinuz-}
	series=$(cut -d. -f1,2 <<<"$kernel")
	echo "# $release: $kernel, $(du -sm "$cache/fresh/$release" | cut -f1) MB"

	ok "apt update" inside "apt update"
	total=0 processor=0
	ok "README, first line: apt install" timed "$(line 'apt install build-essential')"
	echo "# $took"
	ok "README, second line: make deb, apt install" timed "$(line 'make deb && apt')"
	echo "# $took"
	ok "the modules are there for its kernel" inside "dccp-ccids-check $kernel"

	# In a machine of its own
	ok "socat" inside "apt install socat"
	ffmpeg -v error -nostdin -f lavfi -i testsrc2=size=320x180:rate=25 -t 200 -c:v libx264 \
		-tune zerolatency -b:v 300k -maxrate 300k -bufsize 150k -g 25 -f mpegts \
		"$root/home/user/video.ts"
	for word in third='modprobe -a dccp_ipv4 dccp_ipv6 &&' sender='cvlc video.ts' viewer='vlc dccp:'; do
		line "${word#*=}" >"$root/home/user/${word%%=*}"
	done
	case $release in
	bookworm) socat='socat -u TCP4-LISTEN' socat_to='socat -u -b 1300 FILE:sent TCP4' ;;
	*)
		socat='socat -u DCCP4-LISTEN:5004,ccid'
		socat_to='socat -u -b 1300 FILE:sent DCCP4-CONNECT:10.0.2.1:5004,ccid'
		;;
	esac
	line "$socat" >"$root/home/user/socat-receiver"
	line "$socat_to" >"$root/home/user/socat-sender"
	# The modules in the kernel for which they were built
	mkdir -p "$work/$series/modules/boot" "$work/$series/modules/lib/modules"
	cp "$root/boot/vmlinuz-$kernel" "$work/$series/modules/boot/"
	touch "$work/$series/modules/.complete"
	mount --bind "$root/lib/modules" "$work/$series/modules/lib/modules"
	guest "$work" --kernel "$series" --virtual-time -- bash "$top/selftests/readme-guest.sh" \
		"$root" "$work/run" only-load
	ok "README, third line: DCCP is loaded, the check is content, MARC is chosen" \
		grep -q '^third: done' "$work/guest"
	ok "the guest of $kernel ended well" sh -c \
		"cat $work/guest $work/guest.errors; exit $status"
	umount "$work/$series/modules/lib/modules"

	# All of it, where a second does not take minutes
	guest "$build" -- bash "$top/selftests/readme-guest.sh" "$root" "$work/run"
	grep '^#' "$work/guest"
	ok "README, fourth and fifth line: VLC's connection has MARC" grep -q '^ss: .* marc ' "$work/guest"
	ok "what arrives in VLC is a video" sh -c \
		"[ \$(ffprobe -v error -select_streams v -count_packets -show_entries \
			stream=nb_read_packets -of csv=p=0 '$work/run/out.ts' | head -n 1 | tr -d ,) -ge 125 ]"
	ok "socat sends a file" grep -q '^socat: the same' "$work/guest"
	ok "the guest ended well" sh -c "cat $work/guest $work/guest.errors; exit $status"

	# The packages on this Debian
	ok "lintian has nothing to say" inside "apt install lintian >/dev/null && lintian --allow-root \
		--pedantic --display-info --tag-display-limit 0 --fail-on error,warning,info,pedantic \
		build/deb/*.deb"
	ok "a later version is built" inside "packaging/make-deb 9.9~test"
	ok "upgrade" inside "apt install ./build/deb/test/dccp-ccids-dkms_*.deb \
		./build/deb/test/dccp-ccids_*_amd64.deb ./build/deb/test/python3-dccp-ccids_*.deb"
	ok "one version, which has built its modules" inside \
		"dkms status dccp-ccids | grep '9.9~test.*$kernel.*installed' &&
			! dkms status dccp-ccids | grep -v 9.9~test && dccp-ccids-check $kernel"
	ok "the Python package" inside "cd / && python3 -c 'import dccp_ccids.aio'"
	ok "purge" inside "apt purge dccp-ccids-dkms dccp-ccids python3-dccp-ccids"
	ok "nothing is left" inside "! find / -xdev -path /home -prune -o \
		\( -name '*dccp[-_]ccid*' -o -name 'ccid_*.ko*' \) -print | grep . "
	echo "# $release: README's first two lines took $total s, $processor s of the processor"
done
echo "1..$n"
exit $failed
