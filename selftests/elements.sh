#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The elements of GStreamer on a bare Debian 12 and a bare Debian 13: from nothing to a video,
# with the commands of Documentation/howto/gstreamer.rst (make test-elements).	Kernels: none
#
# Usage: selftests/elements.sh bookworm | trixie ...
#
# On the bare system (fresh.sh) the elements are built with its compiler and its GStreamer, which
# must have no warning, and their unit tests run. Then their package is built, checked by that
# Debian's lintian and installed. With it that system runs gstreamer.py in User Mode Linux, with
# the modules of lab/build.

# shellcheck disable=SC2317	# ok() calls functions
set -u
# shellcheck source=selftests/fresh.sh
. "$(dirname "$(realpath "$0")")/fresh.sh"
pages=(Documentation/howto/gstreamer.rst Documentation/howto/install.rst)
# What gstreamer.py needs, too
programs="gstreamer1.0-plugins-ugly ffmpeg vlc-bin vlc-plugin-base"

if [ "${1-}" != --inside ]; then
	echo "TAP version 13"
	[ $# -gt 0 ] || skip "it takes long, and Debian's servers: make test-elements"
	own_mounts "$@"
fi
shift

# A command that has nothing to say
silently() {
	inside "$1" >"$work/silent" 2>&1 && ! grep . "$work/silent"
}

# describes ELEMENT: gst-inspect-1.0 does, without a warning, and it is the package's.  GStreamer
# looks beside its own library, which the linker may find in /lib, a link to /usr/lib.
describes() {
	inside "G_DEBUG=fatal-warnings gst-inspect-1.0 $1" >"$work/inspect" 2>"$work/silent" &&
		! grep . "$work/silent" &&
		grep "^  Filename  *\(/usr\)\?${installed#/usr}$" "$work/inspect" &&
		grep "^  Version  *$(<"$top/VERSION")$" "$work/inspect" &&
		! grep '(null)\|Unknown type' "$work/inspect"
}

# Neither the compiler nor meson has warned.
no_warning() {
	local there=$root/home/user/dccp/build

	grep -n 'warning:\|WARNING' "$there/deb/build.log" "$there/gstreamer/meson-logs/meson-log.txt"
	[ $? = 1 ]
}

for release; do
	fresh elements
	ok "apt install" timed "$(line 'apt install --no-install-recommends')"
	echo "# $took"
	version=$(inside "gst-inspect-1.0 --gst-version")
	echo "# $release: $version"
	ok "make gstreamer says nothing" silently "$(line 'make gstreamer')"
	ok "gst-inspect-1.0 finds it" inside \
		"$(line 'export GST_PLUGIN_PATH') && $(line 'gst-inspect-1.0 dccpsink')"
	ok "meson test" inside "$(line 'meson test')"

	ok "what make deb needs" timed "$(line 'apt install build-essential')"
	echo "# $took"
	ok "make deb" inside "$(line 'make deb')"
	ok "no warning" no_warning
	ok "apt install gstreamer1.0-dccp" timed "$(line 'apt install ./build/deb/gstreamer1.0-dccp')"
	echo "# $took"
	# From here on the elements are those of the package.
	rm "$root/home/user/dccp/build/gstreamer/libgstdccp.so"
	installed=/usr/lib/x86_64-linux-gnu/gstreamer-1.0/libgstdccp.so
	for element in dccpsink dccpsrc dccplayer; do
		ok "gst-inspect-1.0 $element" describes $element
	done
	ok "lintian" inside "apt install lintian >/dev/null && lintian --allow-root --pedantic \
		--display-info --tag-display-limit 0 --fail-on error,warning,info,pedantic \
		build/deb/gstreamer1.0-dccp_*.deb"

	ok "apt install $programs" timed "apt install --no-install-recommends $programs"
	echo "# $took"
	start=$SECONDS
	guest "$build" -- bash -c ". $top/selftests/fresh-guest.sh && enter $root &&
		inside /home/user/dccp/selftests/gstreamer.py"
	sed 's/^/#   /' "$work/guest"
	echo "# $((SECONDS - start)) s"
	ok "gstreamer.py passes in it" sh -c "cat $work/guest $work/guest.errors; exit $status"
	ok "gstreamer.py has run all of it" sh -c "grep '^1\.\.[1-9]' $work/guest && ! grep SKIP $work/guest"
	ok "purge" inside "apt purge gstreamer1.0-dccp && [ ! -e $installed ]"
	echo "# $release: $total s, $processor s of the processor for apt"
done
echo "1..$n"
exit $failed
