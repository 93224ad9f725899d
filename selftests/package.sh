#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The Debian packages with real apt and dkms, in a copy of this machine whose only
# repository is build/apt.		Kernels: chroot (trixie)
# Timeout: 1500
#
# In the chroot this tests: installation, an upgrade, errors, removal; and what lintian,
# Debian's check of packages, says.  With LAB_FULL=1 (make test-package), which takes more
# than twice as long, also another kernel, and a compiler that fails.  The modules that dkms
# built there are left in build/package.  In the guests of Debian's kernels (make
# test-package) apt installs and upgrades the packages and installs and removes another
# kernel; the modules are loaded, used, and removed without a trace.  There dkms finds the
# modules of the chroot; with PACKAGE_BUILD=1 it builds them in the guest, which takes an
# emulated machine hours.  In a chroot with Debian 13 the kernel is 7.3, which has no DCCP,
# and the packages are files.

# shellcheck disable=SC2016,SC2317	# ok() calls functions and sh -c
set -u
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
cache=${LAB_CACHE:-$PWD/build}
build=${LAB_BUILD:-$PWD/build}
kept=$build/package
n=0
failed=0
out=$(mktemp)

echo "TAP version 13"
skip() {
	echo "1..0 # SKIP $*"
	exit 4
}
[ -n "${LAB_KERNEL-}" ] ||
	skip "this installs packages: run it with selftests/run --guest"
[ -e "$cache/apt/Packages" ] || skip "no repository: run lab/setup apt"
first=$(echo "$build"/deb/dccp-ccids-dkms_1*_all.deb)
first=${first%% *}
old_version=${first#*_} old_version=${old_version%_all.deb}
new_version=9.9~test
second=$build/deb/test/dccp-ccids-dkms_${new_version}_all.deb
[ -e "$second" ] || skip "no packages: run make deb and packaging/make-deb 9.9~test"
tools=${first/-dkms/}
tools=$(echo "${tools%_all.deb}"_*.deb)
python=$build/deb/python3-dccp-ccids_${old_version}_all.deb
elements=$(echo "$build/deb/gstreamer1.0-dccp_${old_version}"_*.deb)
new_tools=$(echo "$build/deb/test/dccp-ccids_${new_version}"_*.deb)
new_python=$build/deb/test/python3-dccp-ccids_${new_version}_all.deb
new_elements=$(echo "$build/deb/test/gstreamer1.0-dccp_${new_version}"_*.deb)

# ok DESCRIPTION COMMAND...: the command must succeed; what it says is shown if not.
ok() {
	local what=$1
	shift
	n=$((n + 1))
	if "$@" >"$out.ok" 2>&1; then
		echo "ok $n - $what"
	else
		failed=1
		sed 's/^/# /' "$out.ok" "$out" | grep -v '^# Get:\|Reading database' | tail -n 40
		echo "not ok $n - $what"
	fi
}

apt() {
	apt-get -q -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io \
		-o APT::Sandbox::User=root "$@" >"$out" 2>&1 </dev/null
}

says() {
	grep -q "^dccp-ccids: $1" "$out"
}
said() {
	grep -v '^dccp-ccids: building the modules for' "$out" | grep '^dccp-ccids: '
}

modules='dccp dccp_ipv4 dccp_ipv6 dccp_diag lib_tfrc'
for dir in ccid_*/; do
	! grep -q "^obj-m.* ${dir%/}\.o" "$dir/Kbuild" || modules="$modules ${dir%/}"
done

# All of them, built for that kernel, and preferred to the kernel's own.
complete() {
	local module

	for module in $modules; do
		[ "$(modinfo -k "$1" -F vermagic "$module" | cut -d' ' -f1)" = "$1" ] || {
			echo "$module is not there, or not for $1"
			return 1
		}
	done
	modinfo -k "$1" -n dccp | grep '/updates/dkms/dccp.ko'
}
# with_secure_boot SIGNER COMMAND: as if modules had this signature, and the kernel one key
with_secure_boot() {
	mkdir -p /tmp/signed
	printf '#!/bin/sh\n[ "$1" = -F ] && [ "$2" = signer ] && echo "%s" && exit\nexec %s "$@"\n' \
		"$1" "$(command -v modinfo)" >/tmp/signed/modinfo
	chmod +x /tmp/signed/modinfo
	echo "1 I------ 1 perm 1f010000 0 0 asymmetri Some CA: 01: X509.rsa []" >/tmp/signed/keys
	PATH=/tmp/signed:$PATH unshare -m sh -c "mount -t tmpfs test /sys/kernel/security &&
		echo 'none [integrity] confidentiality' >/sys/kernel/security/lockdown &&
		mount --bind /tmp/signed/keys /proc/keys && $2"
}
# None of them, and no folder of ours.
none() {
	! find "/lib/modules/$1" -path '*/updates*' | grep .
}
# The second version, and nothing of the first.
one_version() {
	dkms status dccp-ccids | grep "/$new_version," &&
		! dkms status dccp-ccids | grep -v "/$new_version,"
}
# The tools, the Python package and the elements are of the second version, and work.
upgraded() {
	dpkg-query -Wf '${Version}\n' dccp-ccids python3-dccp-ccids gstreamer1.0-dccp | sort | uniq -c |
		grep "^ *3 $new_version\$" && dccperf --version | grep -F "$new_version" &&
		(cd / && /usr/bin/python3 -c "import dccp_ccids; assert \
			dccp_ccids.__file__.startswith('/usr/lib/python3/')") && gst-inspect-1.0 dccpsink
}
# Nothing built for that kernel.
gone() {
	! dkms status | grep -F "$1" && ! find /lib/modules -path "*$1*ccid_*" | grep .
}
configured() {
	! dpkg -l 'linux-*' 'dccp-*' | grep '^.[UHFWt]'
}

# What is there of ours: the packages' files, and what dkms makes.  To look for it
# everywhere takes an emulated machine minutes.
list_files() {
	dpkg -L dccp-ccids-dkms dccp-ccids >"$out.files"
}
traces() {
	while read -r file; do
		[ ! -f "$file" ] || echo "$file"
	done <"$out.files"
	find /boot /lib/modules/ /usr/src /var/lib/dkms /var/lib/dccp-ccids /etc/kernel \
		-name '*dccp[-_]ccid*' -o -name 'ccid_*.ko*' 2>/dev/null
}

no_sources() {
	rm -rf /etc/apt/sources.list.d/* /etc/apt/preferences.d/*
	echo "deb [trusted=yes] file:$cache/apt ./" >/etc/apt/sources.list
	apt update
}

# What dkms has built for a VERSION of ours and a RELEASE of a kernel: kept for the guests.
keep() {
	tar -C / -cf "$kept/$1.$2.tar" "var/lib/dkms/dccp-ccids/$1/source" \
		"var/lib/dkms/dccp-ccids/$1/$2" "usr/src/dccp-ccids-$1"
}

# The release of the kernel of a series: it is in the name of its headers.
release_of() {
	local file

	for file in "$cache/apt/linux-headers-$1".*-amd64_*; do
		[ ! -e "$file" ] || basename "$file" | sed 's/^linux-headers-//; s/_.*//'
	done
}

# ------------------------------------------------------------- a kernel without DCCP
if [ "$LAB_KERNEL" = trixie ]; then
	[ -e "$cache/linux/7.3/.complete" ] || skip "no Linux 7.3: run lab/setup 7.3"
	new=$(basename "$cache/linux/7.3/root/usr/src/"linux-headers-*-amd64)
	new=${new#linux-headers-}
	# Not the image, which wants an initramfs, nor the modules, which are 100 MB.
	kernel=()
	for package in "headers-$new" "headers-${new%-amd64}-common" "kbuild-${new%-amd64}"; do
		kernel+=("$cache/debs/linux-${package}_$(<"$cache/linux/7.3/.complete")_"*.deb)
	done
	base=$(echo "$cache/debs/linux-base-${new}_$(<"$cache/linux/7.3/.complete")_"*.deb)
	source=$(echo "$cache/debs/linux-source-6.12_$(<"$cache/linux/6.12/.complete")_"*.deb)

	rm -rf /etc/apt/sources.list.d/* /var/lib/apt/lists/*
	: >/etc/apt/sources.list
	apt install "$base" "$source" "$first" "$tools"
	# dkms takes a kernel for removed, and does not call depmod, if it has no module of its own.
	mkdir -p "/lib/modules/$new/kernel/net"
	cp -r "$cache/linux/7.3/root/usr/lib/modules/$new/kernel/net/9p" "/lib/modules/$new/kernel/net/"
	depmod "$new"
	apt install "${kernel[@]}"
	ok "7.3: built when its headers are installed" complete "$new"
	ok "7.3: packages are configured" configured
	ok "7.3: the check is content" dccp-ccids-check "$new"

	archive=/usr/src/linux-source-6.12.tar.xz
	rm "$archive"
	apt install "$second"
	ok "7.3: an upgrade builds again, from the source that was kept" complete "$new"
	ok "7.3: an upgrade leaves one version" one_version

	dkms remove "dccp-ccids/$new_version" --all >/dev/null 2>&1
	rm -rf /var/lib/dccp-ccids
	/usr/lib/dccp-ccids/build-modules >"$out" 2>&1
	ok "7.3, no source: says which one" \
		says "$new has no DCCP and needs that of Linux 6.12.*: install linux-source-6.12 "
	ok "7.3, no source: no more than that" test "$(wc -l <"$out")" = 1
	ok "7.3, no source: no modules" none "$new"
	dccp-ccids-check "$new" >"$out"
	ok "7.3, no source: the check says it, too" \
		says "$new has no dccp.ko.* and linux-source-6.12 "
	apt install --reinstall "$source"
	ok "7.3: built when the source arrives" complete "$new"

	dkms remove "dccp-ccids/$new_version" --all >/dev/null 2>&1
	imports=/usr/src/dccp-ccids-$new_version/dccp_core/carried/imports
	cp "$imports" /tmp/imports
	sed -i /^init_net/d "$imports"
	/usr/lib/dccp-ccids/build-modules >"$out" 2>&1
	ok "7.3, data of the kernel's that is not known: says which" \
		says "no modules for $new: .* imports '.*', which is not in dccp_core/carried/imports"
	ok "7.3, data of the kernel's that is not known: no modules" none "$new"
	cp /tmp/imports "$imports"
	/usr/lib/dccp-ccids/build-modules >"$out" 2>&1
	ok "7.3: built when it is known" complete "$new"

	list_files
	apt purge dccp-ccids-dkms dccp-ccids
	ok "7.3: removed without a trace" test -z "$(traces)"
	traces | sed 's/^/# /'
	ok "7.3: there is no DCCP" sh -c "! modinfo -k '$new' -n dccp"
	echo "1..$n"
	exit $failed
fi

# ------------------------------------------------------------ kernels that have DCCP
if [ "$LAB_KERNEL" = chroot ]; then
	rm -rf /lib/modules/* "$kept"
	mkdir -p "$kept" /lib/modules
	# This is root, perhaps by sudo.
	trap 'chown -R --reference="$build" "$kept"' EXIT
	no_sources
	new=$(release_of 6.12)
	old=
	[ -z "${LAB_FULL-}" ] || old=$(release_of 6.1)

	ok "lintian has nothing to say" lintian --allow-root --pedantic --display-info \
		--tag-display-limit 0 --fail-on error,warning,info,pedantic "$build"/deb/*.deb
	apt install "linux-headers-$new"
	apt install "$first" linux-source-6.12
	ok "6.12: one apt install" complete "$new"
	ok "6.12: packages are configured" configured
	archive=/usr/src/linux-source-6.12.tar.xz
	rm "$archive"

	apt install "$tools" "$python" "$elements"
	ok "the tools: dccperf runs" dccperf --version
	ok "the tools: the header compiles" sh -c \
		'echo "#include <linux/dccp_ccid.h>" | gcc -Wall -Werror -fsyntax-only -x c -'
	ok "the tools: an example compiles as its first lines say" sh -c \
		'cp -r /usr/share/doc/dccp-ccids/examples /tmp && cd /tmp/examples && cc -o sender sender.c'
	ok "the Python package" sh -c 'cd / && /usr/bin/python3 -c "import dccp_ccids.aio"'
	ok "the Python package: the examples find it" sh -c \
		'cd / && /usr/bin/python3 /usr/share/doc/dccp-ccids/examples/media.py 2>&1 |
			grep "media.py.* receive PORT CCID"'
	ok "the tools: manual pages" man -w dccperf ccid-trace dccp-ccids dccp-ccids-check
	ok "the tools: pages, and the dissector for Wireshark" sh -c \
		'cd /usr/share/doc/dccp-ccids && ls README.md CHANGELOG.md SECURITY.md dccp_core/README.rst \
			Documentation/explanation/marc.rst wireshark/dccp-ccid.lua'
	ok "the elements of GStreamer" gst-inspect-1.0 dccpsink

	# Another kernel
	if [ -n "$old" ]; then
		apt install linux-source-6.1
		apt install "linux-image-$old" "linux-headers-$old"
		ok "6.1: built when its headers are installed" complete "$old"
		ok "6.1: packages are configured" configured
		keep "$old_version" "$old"
	fi
	keep "$old_version" "$new"

	apt install "$second"
	ok "an upgrade builds again, from the source that was kept" complete "$new"
	ok "an upgrade leaves one version" one_version
	ok "an upgrade has nothing to complain about" test -z "$(said)"
	apt install "$new_tools" "$new_python" "$new_elements"
	ok "an upgrade of the tools, the Python package and the elements" upgraded
	keep "$new_version" "$new"
	if [ -n "$old" ]; then
		ok "6.1: an upgrade builds again" complete "$old"
		keep "$new_version" "$old"
		apt purge "linux-image-$old" "linux-headers-$old"
		ok "6.1: gone with the kernel" gone "$old"
	fi
	ok "6.12: the modules are still there" complete "$new"

	# An additional copy by 'make install'
	mkdir -p "/lib/modules/$new/updates"
	echo >"/lib/modules/$new/updates/dccp.ko"
	dccp-ccids-check "$new" >"$out"
	ok "two versions: says so" says "two versions are installed"
	rm "/lib/modules/$new/updates/dccp.ko"

	echo "install dccp /bin/true" >/etc/modprobe.d/hardening.conf
	dccp-ccids-check "$new" >"$out"
	ok "DCCP is forbidden: says so" says "a file in /etc/modprobe.d says 'install dccp /bin/true'"
	rm /etc/modprobe.d/hardening.conf

	for signer in "" "DKMS module signing key" "Some CA"; do
		with_secure_boot "$signer" "dccp-ccids-check $new" >"$out"
		case $signer in
		"") ok "Secure Boot without a signature: says so" says ".*is not signed" ;;
		DKMS*) ok "signed with a key that is not enrolled: says so" \
			says ".*does not know the key of dccp.ko.*'DKMS module signing key'" ;;
		*) ok "signed with a key that is enrolled: content" says "installed; DCCP is not loaded" ;;
		esac
	done

	dccp-ccids-check >"$out"
	ok "the check of a kernel without modules: one line" says "there is no /lib/modules/\|.*DCCP"

	# What can be wrong: one line each, nothing half done.
	tar -C / -cf /tmp/complete.tar var/lib/dkms/dccp-ccids var/lib/dccp-ccids \
		"lib/modules/$new/updates"
	dkms remove "dccp-ccids/$new_version" --all >/dev/null 2>&1
	mount -t tmpfs -o size=40m full /var/lib/dkms
	mkdir /var/lib/dkms/dccp-ccids
	/usr/lib/dccp-ccids/build-modules >"$out" 2>&1
	umount /var/lib/dkms
	ok "full disk: says so" says "[0-9]* MB are free for /var/lib/dkms, 200 MB are needed"
	ok "full disk: no more than that" test "$(wc -l <"$out")" = 1
	ok "full disk: no modules" none "$new"

	mv "/lib/modules/$new/build" /tmp/build
	/usr/lib/dccp-ccids/build-modules >"$out" 2>&1
	ok "no headers: says so" says ".*headers are missing, install linux-headers-$new"
	# dpkg calls it so when prerm has removed the modules, and the upgrade fails.
	/var/lib/dpkg/info/dccp-ccids-dkms.postinst abort-upgrade 1 >"$out" 2>&1
	ok "an aborted upgrade builds again" says ".*headers are missing"
	mv /tmp/build "/lib/modules/$new/build"

	rm -rf /var/lib/dccp-ccids
	/usr/lib/dccp-ccids/build-modules >"$out" 2>&1
	ok "no source: says so" says "$new needs the source of Linux .*: install linux-source-6.12\$"
	ok "no source: no more than that" test "$(wc -l <"$out")" = 1

	mkdir -p /tmp/other/linux-source-6.12
	printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 1\n' >/tmp/other/linux-source-6.12/Makefile
	tar -C /tmp/other -cJf "$archive" linux-source-6.12
	/usr/lib/dccp-ccids/build-modules >"$out" 2>&1
	ok "source of another version: says so" says ".*tar.xz is of 6.12.1: upgrade"
	ok "source of another version: no modules" none "$new"
	rm "$archive"

	if [ -n "${LAB_FULL-}" ]; then
		# A compiler that fails in the middle of it, when the source arrives at last
		cc=$(readlink -f "$(command -v gcc)")
		mv "$cc" "$cc.real"
		cat >"$cc" <<-END
			#!/bin/sh
			case "\$*" in
			*marc.o*) echo "marc.c:1:1: error: no" >&2; exit 1 ;;
			esac
			exec $cc.real "\$@"
		END
		chmod +x "$cc"
		apt install --reinstall linux-source-6.12
		ok "the source arrives: dkms is called" says "building the modules for $new"
		ok "it does not compile: says so" says "no modules for $new: .*marc.c:1:1: error: no"
		ok "it does not compile: packages are configured" configured
		ok "it does not compile: no modules" none "$new"
		mv "$cc.real" "$cc"
		apt install --reinstall linux-source-6.12
		ok "it compiles again" complete "$new"
	else
		tar -C / -xf /tmp/complete.tar
		depmod "$new"
		ok "6.12: the modules are there as before" complete "$new"
	fi

	list_files
	apt purge dccp-ccids-dkms dccp-ccids python3-dccp-ccids gstreamer1.0-dccp
	ok "the Python package: removed" test ! -e /usr/lib/python3/dist-packages/dccp_ccids
	ok "removed without a trace" test -z "$(traces)"
	traces | sed 's/^/# /'
	ok "depmod knows the kernel's own DCCP" sh -c \
		"modinfo -k '$new' -n dccp | grep '/kernel/net/dccp/'"
	echo "1..$n"
	exit $failed
fi

# ---------------------------------------------------------------- Debian's kernels

release=$(uname -r)
echo "# $release"
[ -n "${PACKAGE_BUILD-}" ] || [ -e "$kept/$new_version.$release.tar" ] ||
	skip "nothing was built for $release: run it in the chroot before"
# As the distribution has it, without what lab/build installed; and of its modules
# only DCCP, as depmod would need minutes here for the 4000 of them.
few=$(mktemp -d)
(cd "/lib/modules/$release" && cp --parents modules.order modules.builtin* \
	kernel/net/dccp/* "$few/")
mount --bind "$few" "/lib/modules/$release"
depmod
# An index of all of the host's manual pages takes ten minutes here, and looking for ten
# thousand headers among the host's files before they are written, too.
rm -f /var/lib/man-db/auto-update
for dir in /usr/src /var/lib/dkms /boot; do
	mkdir -p "$dir"
	mount -t tmpfs tmpfs "$dir"
done
no_sources

ok "before: the kernel's own DCCP is what modprobe would load" sh -c \
	'modinfo -n dccp | grep /kernel/net/dccp/'
# What dkms will find there, as if it had been at work before.
built_before() {
	[ -n "${PACKAGE_BUILD-}" ] || tar -C / -xf "$kept/$1.$2.tar"
}

# Nothing is started from /boot here, and / cannot be written to.
export INITRD=No
echo "do_symlinks = no" >/etc/kernel-img.conf
case $release in
6.1.*) series=6.1 other=6.12 ;;
*) series=6.12 other=6.1 ;;
esac
if [ -n "${PACKAGE_BUILD-}" ]; then
	builds="linux-headers-$release linux-source-$series"
else
	# Nothing will look at the source, whose archive takes minutes to unpack here.
	builds=
	mkdir -p "$few.source/DEBIAN"
	printf '%s\n' "Package: linux-source-$series" "Version: 0" "Architecture: all" \
		"Maintainer: nobody" "Description: nothing" >"$few.source/DEBIAN/control"
	dpkg-deb -b "$few.source" "$few.deb" >"$out"
	dpkg -i "$few.deb" >>"$out" 2>&1
fi

built_before "$old_version" "$release"
# shellcheck disable=SC2086	# none, or two
apt install $builds "$first" "$tools"
ok "installed by apt and dkms" complete "$release"
ok "packages are configured" configured
built_before "$new_version" "$release"
apt install "$second" "$new_tools"
ok "an upgrade" complete "$release"
ok "an upgrade leaves one version" one_version

other_release=$(release_of $other)
if [ -n "$other_release" ]; then
	built_before "$new_version" "$other_release"
	apt install ${PACKAGE_BUILD:+"linux-source-$other"} "linux-image-$other_release" \
		"linux-headers-$other_release"
	ok "another kernel: it has the modules when its headers are installed" \
		complete "$other_release"
	apt purge "linux-image-$other_release" "linux-headers-$other_release"
	ok "another kernel: the modules are gone with it" gone "$other_release"
	ok "another kernel: those of this one are still there" complete "$release"
fi
dccp-ccids-check >"$out"
ok "the check: it is there and not loaded" says "installed; DCCP is not loaded"
ok "it is loaded" modprobe -a dccp_ipv4 dccp_ipv6
dccp-ccids-check >"$out"
ok "the check: in use" says "in use, CCIDs"
ok "each CCID is loaded by its number" sh -c '
	for ccid in $(modinfo -F alias '"${modules#*lib_tfrc}"' | sed -n s/^net-dccp-ccid-//p); do
		sysctl -w net.dccp.default.rx_ccid=$ccid net.dccp.default.tx_ccid=$ccid || exit
	done'
dccperf -s -1 -i 0 -C 248 >/dev/null 2>&1 &
while kill -0 $! && ! ss -ltnH | grep -q :5201; do sleep 1; done
ok "dccperf sends and receives" dccperf -c 127.0.0.1 -C 248 -t 3 -b 100K
sysctl -q net.dccp.default.rx_ccid=2 net.dccp.default.tx_ccid=2
list_files
dpkg --purge --force-unsafe-io dccp-ccids-dkms dccp-ccids >"$out" 2>&1
ok "removed: the kernel's own DCCP is what modprobe would load" sh -c \
	'modinfo -n dccp | grep /kernel/net/dccp/'
ok "removed without a trace" test -z "$(traces)"
echo "1..$n"
exit $failed
