#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# README's five lines to the letter, on a bare Debian 12 and a bare Debian 13: from nothing to
# a video over MARC in VLC (make test-readme).	Kernels: none
#
# Usage: selftests/readme.sh bookworm | trixie ...
#
# The first two lines of README install what they name on the bare system (fresh.sh). The seconds
# that they take are printed. Then that system's kernel runs in an emulated machine, in which that
# system does what is in the third line, with the modules that dkms has built. VLC takes an
# emulated machine too long. So all three other lines are done by that system in User Mode Linux,
# with the modules of lab/build, and two namespaces as the two machines. Its socat sends a file as
# Documentation/howto/programs.rst says. The packages are also checked by that Debian's lintian,
# upgraded and removed.

# shellcheck disable=SC2016,SC2317	# ok() calls functions and sh -c
set -u
# shellcheck source=selftests/fresh.sh
. "$(dirname "$(realpath "$0")")/fresh.sh"
pages=(README.md Documentation/howto/programs.rst)

if [ "${1-}" != --inside ]; then
	echo "TAP version 13"
	[ $# -gt 0 ] || skip "it takes long, and Debian's servers: make test-readme"
	command -v ffmpeg >/dev/null || skip "no ffmpeg: make setup"
	own_mounts "$@"
fi
shift

for release; do
	fresh readme
	kernel=$(basename "$root"/boot/vmlinuz-*)
	kernel=${kernel#vmlinuz-}
	series=$(cut -d. -f1,2 <<<"$kernel")
	echo "# $release: $kernel, $(du -sm "$cache/fresh/$release" | cut -f1) MB"

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
