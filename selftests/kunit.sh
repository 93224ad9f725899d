#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# All KUnit suites of our modules, as one KTAP report.  Kernels: uml

shopt -s nullglob
results=/sys/kernel/debug/kunit

echo "KTAP version 1"
why=
modules=("/lib/modules/$(uname -r)/updates/"*_kunit.ko)
[ ${#modules[@]} -gt 0 ] || why="no modules with KUnit tests are installed for this kernel"
[ -w /sys/kernel/debug ] || why="must be run as root, with debugfs"
[ -z "$why" ] || {
	echo "1..0 # SKIP $why"
	exit 4
}
n=0 failed=0
for ko in "${modules[@]}"; do
	before=$(ls $results 2>/dev/null)
	module=$(basename "$ko" .ko)
	if ! modprobe "$module"; then
		echo "not ok $((++n)) $module # could not be loaded"
		failed=1
		continue
	fi
	for suite in "$results"/*; do
		grep -qxF "${suite##*/}" <<<"$before" && continue
		# The suite's own header is replaced by its place in this report.
		sed -E "/^(KTAP version|1\.\.1$)/d; s/^(not )?ok 1 /\1ok $((++n)) /" \
			"$suite/results"
		grep -q "^not ok" "$suite/results" && failed=1
	done
done
echo "1..$n"
exit $failed
