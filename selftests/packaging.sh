#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# packaging/build-modules: which of the versions in /usr/src it gives to dkms. A program that
# writes down what it is asked for replaces dkms, and /usr/src and /lib/modules are the test's.
# package.sh has dkms itself.

# shellcheck disable=SC2317	# is() calls functions

top=$(dirname "$(dirname "$(realpath "$0")")")
# shellcheck source=selftests/is.sh
. "$top/selftests/is.sh"

if [ "${1-}" != --inside ]; then
	echo "TAP version 13"
	if [ "$(id -u)" != 0 ] || ! unshare --mount true 2>/dev/null; then
		echo "1..0 # SKIP it takes root, who may mount"
		exit 4
	fi
	# The mounts end with the test.
	exec unshare --mount -- "$0" --inside
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in /usr/src /lib/modules; do
	mount -t tmpfs test "$folder" || exit
done
mkdir /lib/modules/6.12.0-test
touch /lib/modules/6.12.0-test/modules.builtin
cat >"$work/dkms" <<'END'
#!/bin/sh
echo "dkms $*." >&3
echo installed
END
chmod +x "$work/dkms"

# chosen FOLDER...: what dkms is asked for. A folder ends with /dkms.conf, or is left behind.
chosen() {
	rm -rf /usr/src/*
	for folder; do
		mkdir -p "/usr/src/dccp-ccids-${folder%/dkms.conf}"
		[ "${folder%/dkms.conf}" = "$folder" ] || touch "/usr/src/dccp-ccids-$folder"
	done
	PATH=$work:$PATH "$top/packaging/build-modules" 3>&1
	echo "status $?."
}
# version VERSION: the pattern of it in what dkms is asked for
version() {
	echo "^dkms status -m dccp-ccids -v $1 -k 6.12.0-test\.$"
}

echo "1..5"
is "a folder of a later version that was left behind is not built" 0 "$(version 1.0)" \
	chosen 1.0/dkms.conf 1.1
is "nor one of an earlier version" 0 "$(version 1.1)" chosen 1.0 1.1/dkms.conf
is "of two versions the later one is built" 0 "$(version 1.10)" \
	chosen 1.9/dkms.conf 1.10/dkms.conf
is "a version before a release is earlier than it" 0 "$(version 1.0)" \
	chosen 1.0~git20261129.abc/dkms.conf 1.0/dkms.conf
only_left() {
	[ "$(chosen 1.0)" = "status 0." ]
}
is "where there are only folders that were left behind, nothing is built" 0 "" only_left
exit $failed
