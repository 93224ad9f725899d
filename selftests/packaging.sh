#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# packaging/build-modules: which of the versions in /usr/src it gives to dkms, and what it does if
# dkms fails; prerm, make uninstall and dccp-ccids-check. Programs that write down what they are
# asked for replace dkms and modinfo, and the folders that are looked at are the test's.
# package.sh has dkms itself.

# shellcheck disable=SC2119,SC2120,SC2317	# is() calls functions

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
for folder in /usr/src /usr/sbin /lib/modules /var/lib /sys/module /proc/sys/net; do
	mount -t tmpfs test "$folder" || exit
done
# Such is the PATH of a plain su.
PATH=/usr/bin:/bin
release=6.12.0-test
mkdir /lib/modules/$release
touch /lib/modules/$release/modules.builtin
cat >/usr/sbin/dkms <<'END'
#!/bin/sh
echo "dkms $*." >&3
[ "$1" != status ] || [ -z "${DKMS_STATUS-installed}" ] || echo "${DKMS_STATUS-installed}"
if [ "$1" = build ] && [ -e /var/lib/dkms/dccp-ccids/1.0/6.12.0-test ]; then
	echo "Error! This module/version has already been built on: 6.12.0-test"
	exit 3
fi
[ "$1" != install ] || [ ! -e "$OWN" ] || cat "$OWN" >&3
[ "$1" != install ] || [ -z "${DKMS_SAYS-}" ] || echo "$DKMS_SAYS"
if [ "$1" = "${DKMS_FAILS-}" ]; then
	[ "$1" != install ] || sh "$HALF"
	echo "Error! ${DKMS_REASON-This is the reason}."
	exit 1
fi
[ "$1" != install ] || [ -z "${DKMS_LEAVES-}" ] || sleep 3 >/dev/null 2>&1 3>&- &
[ "$1" != uninstall ] || rm /var/lib/dkms/dccp-ccids/kernel-* 2>/dev/null
[ "$1" != install ] || ls /lib/modules/6.12.0-test/updates/dkms >&3 2>/dev/null || :
END
# What dccp-ccids-check asks
cat >/usr/sbin/modinfo <<'END'
#!/bin/sh
case "$1 $3 $4" in
"-k -n "*) find "/lib/modules/$2" -name "$4.ko" | sort -r | head -n 1 ;;
"-k -F vermagic") find "/lib/modules/$2" -name "$5.ko" | sort -r | head -n 1 | xargs cat ;;
"-k -F alias") echo "dccp-ccids-${5#*_}" ;;
"-F "*)
	[ "$2" != srcversion ] || echo 1111
	[ "$2" != vermagic ] || cat "$3"
	;;
esac
END
printf '#!/bin/sh\n' | tee /usr/sbin/modprobe >/usr/sbin/depmod
printf '#!/bin/sh\necho %s\n' $release >"$work/uname"
chmod +x /usr/sbin/* "$work/uname"

# What dkms of Debian 13 leaves if it is interrupted: a module of ours, and the kernel's own is in
# the archive.
archive=/var/lib/dkms/dccp-ccids/original_module/$release/x86_64
export HALF=$work/half OWN=/lib/modules/$release/kernel/net/dccp/dccp.ko
cat >"$HALF" <<END
mkdir -p $archive /lib/modules/$release/updates/dkms
echo ours >/lib/modules/$release/updates/dkms/dccp.ko
echo own >$archive/dccp.ko
echo $OWN >$archive/dccp.ko.origin
rm -f $OWN
END
# whole COMMAND...: after an install that was interrupted; then the kernel's own is back, alone
whole() {
	sh "$HALF"
	"$@"
	[ "$(<"$OWN")" = own ] && [ ! -e "/lib/modules/$release/updates" ] && [ ! -e "$archive" ]
}

# chosen FOLDER...: what dkms is asked for. A folder ends with /dkms.conf, or is left behind.
chosen() {
	rm -rf /usr/src/*
	for folder; do
		mkdir -p "/usr/src/dccp-ccids-${folder%/dkms.conf}"
		[ "${folder%/dkms.conf}" = "$folder" ] || touch "/usr/src/dccp-ccids-$folder"
	done
	"$top/packaging/build-modules" 3>&1
	echo "status $?."
}
# version VERSION: the pattern of it in what dkms is asked for
version() {
	echo "^dkms status -m dccp-ccids -v $1 -k 6.12.0-test\.$"
}

echo "1..57"
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

# Of dkms: a build that was interrupted leaves a folder, which dkms takes for one that is done.
mkdir -p /lib/modules/$release/build/include/config /var/lib/dkms/dccp-ccids/1.0/$release/x86_64
touch /lib/modules/$release/build/include/config/auto.conf
# with_source: as chosen 1.0/dkms.conf, and the kernel's source is there
with_source() {
	rm -rf /usr/src/*
	mkdir -p /usr/src/dccp-ccids-1.0/dccp_core
	"$top/packaging/dkms-conf" 1.0 >/usr/src/dccp-ccids-1.0/dkms.conf
	ln -s /bin/true /usr/src/dccp-ccids-1.0/dccp_core/prepare
	"$top/packaging/build-modules" "$@" 3>&1
	echo "status $?."
}
interrupted() {
	DKMS_STATUS='' with_source
}
is "a build that was interrupted is done again" 0 "^dkms install --force .* -k $release\.$" interrupted
not_installed() {
	DKMS_STATUS=built DKMS_FAILS=install with_source
}
is "modules are built and cannot be installed: says why" 0 \
	"^dccp-ccids: .*$release: dkms could not install them: Error! This is the reason\." not_installed
is "and that this kernel has none" 0 "^status 1\.$" not_installed
once() {
	! not_installed | grep "^dkms build"
}
is "and they are not built again" 0 "" once
is "what was built is removed, so that the next try builds anew" 0 \
	"^dkms remove -m dccp-ccids -v 1.0 -k $release\.$" not_installed
full() {
	! DKMS_REASON='No space left on device' not_installed | grep "^dkms remove"
}
is "but not because the disk is full" 0 "" full
is "an install that was interrupted: the kernel's own modules are put back" 0 "" \
	whole with_source --undo
again() {
	sh "$HALF"
	DKMS_STATUS=built with_source
}
is "before dkms installs again" 0 "^own$" again
is "an install that fails: they are put back, too" 0 "" whole not_installed
full_and_half() {
	DKMS_REASON='No space left on device' not_installed
}
is "and where the disk is full" 0 "" whole full_and_half
built_and_not_installed() {
	DKMS_STATUS='' DKMS_FAILS=install with_source
}
is "and right after they were built" 0 "" whole built_and_not_installed
not_copied() {
	DKMS_STATUS=built DKMS_SAYS="cp: error writing 'dccp.ko': No space left on device" with_source
}
is "a module cannot be copied, and dkms calls that installed: says why" 0 \
	"^dccp-ccids: no modules .* install them: cp: error writing" not_copied
is "and it is uninstalled" 0 "^dkms uninstall .* -k $release\.$" not_copied
link=/var/lib/dkms/dccp-ccids/kernel-$release-x86_64
completed() {
	mkdir -p "/var/lib/dkms/dccp-ccids/1.0/$release/x86_64/module"
	ln -s "1.0/$release/x86_64" "$link"
	! whole with_source --undo && [ -e "$archive/dccp.ko.origin" ]
}
is "where ours are installed, they stay in the archive" 0 "" completed
dangling() {
	rm -r "/var/lib/dkms/dccp-ccids/1.0/$release"
	whole with_source --undo && [ ! -L "$link" ]
}
is "but not if what dkms has built is gone" 0 "" dangling
rm -f "$link"
# A removal that was interrupted: dkms still calls ours installed.
with_source >/dev/null 2>&1
mapfile -t names < <(sed -n 's/^BUILT_MODULE_NAME.*="\(.*\)"$/\1/p' /usr/src/dccp-ccids-1.0/dkms.conf)
# without [MODULE [TEXT]]: what is done if this one is missing, or has this in place of vermagic
without() {
	mkdir -p "/lib/modules/$release/updates/dkms" "/var/lib/dkms/dccp-ccids/1.0/$release/x86_64/module"
	ln -sfn "1.0/$release/x86_64" "$link"
	rm -f "$OWN" "/lib/modules/$release/updates/dkms"/*
	for name in "${names[@]}"; do
		echo "$release SMP" >"/lib/modules/$release/updates/dkms/$name.ko.xz"
	done
	[ $# != 1 ] || rm "/lib/modules/$release/updates/dkms/$1.ko.xz"
	[ $# != 2 ] || echo "$2" >"/lib/modules/$release/updates/dkms/$1.ko.xz"
	with_source | sed '/^dkms status/d; s/^dkms \([a-z]*\) .*/\1/' | paste -sd' '
}
is "modules that are installed stay as they are" 0 "^status 0\.$" without
is "the first is missing: the others are removed, and all installed" 0 \
	"^uninstall install status 0\.$" without "${names[0]}"
is "or the last" 0 "^uninstall install status 0\.$" without "${names[-1]}"
is "or it is cut off" 0 "^uninstall install status 0\.$" without "${names[-1]}" ''
rm -rf "/lib/modules/$release/updates" "$link"
# At the same time: the other ends after this has begun to wait.
locked() {
	rm -f "$work"/held "$work"/free
	flock /var/lib/dccp-ccids/lock sh -c "touch $work/held; sleep 1; touch $work/free" &
	until [ -e "$work/held" ]; do sleep .1; done
	with_source "$@" && [ -e "$work/free" ]
}
is "another is running: waits for it" 0 "^dccp-ccids: another .* is running: waiting" locked
is "also with --undo" 0 "^dccp-ccids: another .* is running: waiting" locked --undo
left_behind() {
	DKMS_STATUS=built DKMS_LEAVES=y with_source >/dev/null
	! with_source 2>&1 | grep "^dccp-ccids:"
}
is "but not for what dkms leaves behind" 0 "" left_behind
is "who is not root is told so" 1 "^dccp-ccids: .* by root" \
	setpriv --reuid 65534 --clear-groups "$top/packaging/build-modules"

removed() {
	mkdir -p "/var/lib/dkms/dccp-ccids/1.0/$release/x86_64"
	sed "s/#VERSION#/1.0/; s,/usr/lib/dccp-ccids,$top/packaging," \
		"$top/packaging/debian/dccp-ccids-dkms.prerm" |
		PATH=$PATH:/usr/sbin sh -s upgrade 3>&1 && [ ! -e /var/lib/dkms/dccp-ccids/1.0 ]
}
is "prerm leaves nothing of the version" 0 "^dkms status" removed
unless() {
	! DKMS_FAILS=remove removed && [ -e /var/lib/dkms/dccp-ccids/1.0 ]
}
is "unless dkms cannot remove the modules" 0 "This is the reason" unless

is "prerm puts the kernel's own modules back" 0 "" whole removed
unknown() {
	DKMS_STATUS='' removed
}
is "also of a version that dkms does not know" 0 "" whole unknown

uninstalled() {
	local updates=$work/root/lib/modules/$release/updates

	mkdir -p "$updates"
	touch "$updates"/{dccp,dccp_ipv4,dccp_diag,lib_tfrc,lib_tfrc_kunit,ccid_marc,ccid_marc_kunit}.ko \
		"$updates"/{ext4_kunit,ccid_others}.ko
	make -s -C "$top" uninstall DESTDIR="$work/root" && cd "$updates" && echo "left:" *
}
is "make uninstall removes our modules and no others" 0 "^left: ccid_others.ko ext4_kunit.ko$" \
	uninstalled

mapfile -t ccids < <(cd "$top" && printf '%s\n' ccid_*)
# ours RELEASE: our modules are there for it
ours() {
	mkdir -p "/lib/modules/$1/updates/dkms"
	touch "/lib/modules/$1/modules.builtin"
	for name in dccp dccp_ipv4 dccp_ipv6 dccp_diag lib_tfrc "${ccids[@]}"; do
		echo "$1 SMP" >"/lib/modules/$1/updates/dkms/$name.ko"
	done
}
checked() {
	PATH=$work:$PATH "$top/tools/dccp-ccids-check" "$@"
}
ours $release
mkdir -p /lib/modules/6.{2,100}.0-test/kernel/net/dccp
touch /lib/modules/6.2.0-test/{modules.builtin,kernel/net/dccp/dccp.ko}
is "the check: a kernel of before does not matter" 0 "^dccp-ccids: installed" checked
touch /lib/modules/6.100.0-test/{modules.builtin,kernel/net/dccp/dccp.ko}
is "a newer kernel without our modules is noted" 0 "^dccp-ccids: note: .* 6\.100\.0-test, and has not" checked
is "unless the kernel is named" 0 "^dccp-ccids: installed" checked $release
ours 6.100.0-test
is "or it has them" 0 "^dccp-ccids: installed" checked
is "two kernels are wrong usage" 2 "^Usage: dccp-ccids-check " checked $release 6.100.0-test
is "and so is an option that does not exist" 2 "^Usage: dccp-ccids-check " checked --quite
is "but not to ask for help" 0 "^Usage: dccp-ccids-check " checked --help
rm /lib/modules/$release/updates/dkms/dccp_ipv4.ko
is "one of the modules is missing" 1 "^dccp-ccids: not all .*: dccp_ipv4 is missing: " checked
mkdir -p /lib/modules/$release/kernel/net/dccp
touch /lib/modules/$release/kernel/net/dccp/dccp_ipv4.ko
is "or the kernel's own is used" 1 "^dccp-ccids: not all .*: dccp_ipv4 is /lib/.*/kernel/.*" checked
ours $release
echo 6.12 >/lib/modules/$release/updates/dkms/dccp_diag.ko
is "or it is cut off" 1 "^dccp-ccids: not all .*: /lib/.*/dccp_diag.ko cannot be read" checked
ours $release
# dkms installs them last.
ccids_missing() {
	local name

	rm "/lib/modules/$release/updates/dkms"/ccid_*
	checked >"$work/said"
	for name in "${ccids[@]}"; do
		grep "^dccp-ccids: not all .*[:,] $name is missing[:,]" "$work/said" || return
	done
}
is "each of the CCIDs is missing" 0 "" ccids_missing
ours $release
# A kernel without CONFIG_INET_DCCP_DIAG, with 'make install': no file of that name is anywhere.
rm -f "/lib/modules/$release/updates/dkms/dccp_diag.ko" "$OWN"
is "dccp_diag is missing, and the kernel's own DCCP was moved away" 1 \
	"^dccp-ccids: not all .*: dccp_diag is missing: " checked
mkdir -p "${OWN%/*}"
touch "$OWN.xz"
is "or is there without it: it is not needed" 0 "^dccp-ccids: installed" checked
touch "${OWN%/*}/dccp_diag.ko.xz"
is "or with it" 1 "^dccp-ccids: not all .*: dccp_diag is missing: " checked
rm "${OWN%/*}"/*.xz
ours $release

printf '#!/bin/sh\necho blacklist dccp_ipv4\n' >/usr/sbin/modprobe
is "a module that is on a blacklist is noted" 0 "^dccp-ccids: note: .*modprobe dccp_ipv4" checked
mount -t tmpfs test /usr/local/lib
mkdir /usr/local/lib/modules-load.d
for line in dccp-ipv4 dccp-ccids-ipv4 ' dccp_ipv4'; do
	echo "$line" >/usr/local/lib/modules-load.d/test.conf
	is "'$line' is to be loaded at start: that is an error" 1 \
		"^dccp-ccids: /usr/local/lib/modules-load.d/test.conf would load dccp_ipv4" checked
done
mount -t tmpfs test /run
mkdir /run/modules-load.d
ln -s /dev/null /run/modules-load.d/test.conf
is "unless a file of the same name comes before it" 0 "^dccp-ccids: note: .*modprobe dccp_ipv4" checked
mv /usr/local/lib/modules-load.d/test.conf /run/modules-load.d/
ln -s /dev/null /usr/local/lib/modules-load.d/test.conf
is "but not after it" 1 "^dccp-ccids: /run/modules-load.d/test.conf would load dccp_ipv4" checked
umount /run
rm /usr/local/lib/modules-load.d/test.conf
printf '%s\n' '# dccp_ipv4' dccp_ipv6 dccp_ipv >/usr/local/lib/modules-load.d/test.conf
is "another module is to be loaded: that is no error" 0 "^dccp-ccids: note: .*modprobe dccp_ipv4" checked
printf '#!/bin/sh\n' >/usr/sbin/modprobe

mkdir -p /proc/sys/net/dccp /sys/module/{dccp,dccp_ipv4,lib_tfrc,ccid_marc}
echo 2 MARC >/proc/sys/net/dccp/available_ccids
echo 1111 | tee /sys/module/{dccp,lib_tfrc,ccid_marc}/srcversion >/dev/null
is "the modules that are loaded are those that are installed" 0 "^dccp-ccids: in use" checked
echo 2222 >/sys/module/lib_tfrc/srcversion
is "one of them is not" 1 "^dccp-ccids: another version of lib_tfrc is loaded" checked

# A kernel without our modules must not load its own DCCP instead.
safe() {
	grep -n '^ *dccp_ipv' "$top"/packaging/etc/modules-load.d/* "$top/Documentation/dccp-ccids.7" \
		"$top/Documentation/howto/install.rst"
	[ $? = 1 ]	# not 2, which is that of a file that is missing
}
is "what is loaded at each start is not the kernel's own DCCP" 0 "" safe
exit $failed
