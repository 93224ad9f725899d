#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own DCCP is loaded when ours is installed (make test-package).	Kernels: none

echo "TAP version 13"
[ -n "${LAB_KERNEL-}" ] || {
	echo "1..0 # SKIP this loads the kernel's own DCCP: run it with selftests/run --guest"
	exit 4
}
own=$(find "/lib/modules/$(uname -r)/kernel/net/dccp" -name 'dccp.ko*')
[ -n "$own" ] || {
	echo "1..0 # SKIP this kernel has no DCCP of its own here"
	exit 4
}
echo "1..2"
modprobe -q libcrc32c
cp "$own" /tmp/
unxz -q "/tmp/${own##*/}" 2>/dev/null
insmod /tmp/dccp.ko
said=$(tools/dccp-ccids-check)
status=$?
echo "# ${said//$'\n'/$'\n'# }"
[ "$status" = 1 ] || echo -n "not "
echo "ok 1 - something needs to be done"
[ "$(wc -l <<<"$said")" = 1 ] && grep -q "own DCCP is loaded .*: restart" <<<"$said" || echo -n "not "
echo "ok 2 - the machine must be restarted, in one line"
[ "$status" = 1 ]
