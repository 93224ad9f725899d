#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# All KUnit suites of our modules, as one KTAP report.  Kernels: uml

shopt -s nullglob
results=/sys/kernel/debug/kunit

echo "KTAP version 1"
n=0 failed=0
for ko in "/lib/modules/$(uname -r)/updates/"*_kunit.ko; do
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
