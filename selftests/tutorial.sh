#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Documentation/tutorial/new-ccid.rst, followed to the letter in a copy of the repository: its
# shell commands in their order, then what its last section asks for.	Kernels: host
# Timeout: 900
#
# Then the tests of negotiation must pass with the new module there, and the skeleton's.

top=$(dirname "$(dirname "$(realpath "$0")")")
export LAB_CACHE=${LAB_CACHE:-$top/build}
unset LAB_BUILD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$top/Documentation/tutorial/new-ccid.rst
n=0
failed=0

echo "TAP version 13"
# What git knows, as it is now.
if ! git -C "$top" ls-files --error-unmatch "$page" >/dev/null 2>&1 ||
	[ ! -e "$LAB_CACHE/linux/6.12/uml/linux" ]; then
	echo "1..0 # SKIP it needs the repository, and lab/setup uml"
	exit 4
fi
git -C "$top" ls-files -z | tar -C "$top" --null -T - -c | tar -C "$work" -x
cd "$work" || exit 1

# ok NAME TEXT COMMAND...: it succeeds and says the text
ok() {
	local name=$1 text=$2 said
	shift 2
	if said=$("$@" 2>&1) && grep -q -- "$text" <<<"$said"; then
		echo "ok $((++n)) - $name"
	else
		tail -n 20 <<<"$said" | sed 's/^/# /'
		echo "not ok $((++n)) - $name"
		failed=1
	fi
}

# The blocks of shell of a section.
blocks() {
	awk -v title="$1" '
		/^[=-]+$/ { here = (last == title) }
		{ last = $0 }
		here && /^   / { sub(/^   /, ""); print; next }
		here && !NF { print }' "$page"
}

blocks "Copy it" >copy.sh
ok "copied" "" bash -e copy.sh
ok "the copy has a number of its own" 254 grep 254 ccid_mine/ccid.c
blocks "Try it" >try-it.sh
ok "built, loaded, and used by dccperf" "this end: tx CCID 254, rx CCID 254" bash -e try-it.sh
ok "the list of CCIDs has it" "254:mine" lab/run -- \
	sh -c 'modprobe -a dccp_ipv4 ccid_mine; cat /proc/sys/net/dccp/available_ccids'
ok "the skeleton's tests pass" "^ok 1 " lab/run -- selftests/skeleton.py "half of TFRC"
ok "a test that wants a number without a CCID passes" "^ok 1 " \
	lab/run -- selftests/negotiation.py "an unregistered number"
ok "as do those that want a number that is no CCID's" "^ok 1 " \
	lab/run -- selftests/python.py "a CCID that is not loaded"
ok "and that of a namespace's CCIDs" "^ok 5 " lab/run -- selftests/namespaces.py "allowed_ccids takes"
ok "the tests of pages pass" " passed" \
	"$LAB_CACHE/venv/bin/python" -m pytest -q lab/labkit/tests/test_pages.py
ok "lab/reference needs no parameters of it" "" lab/reference --check
echo "1..$n"
exit $failed
