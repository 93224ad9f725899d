# SPDX-License-Identifier: GPL-2.0-only
# For tests of programs that end: a result in TAP for each. The test exits with $failed.

# shellcheck shell=bash disable=SC2034
n=0
failed=0

# is NAME STATUS TEXT COMMAND...: it ends with the status and says the text
is() {
	local name=$1 status=$2 text=$3 said got
	shift 3
	said=$("$@" 2>&1)
	got=$?
	if [ $got = "$status" ] && grep -q -- "$text" <<<"$said"; then
		echo "ok $((++n)) $name"
	else
		tail -n 5 <<<"$said" | sed 's/^/# /'
		echo "not ok $((++n)) $name: status $got, expected $status and '$text'"
		failed=1
	fi
}
