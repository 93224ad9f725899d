#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The guest's part of selftests/readme.sh.	Kernels: none
#
# Usage: selftests/readme-guest.sh ROOT DIRECTORY [only-load]
#
# In ROOT is a Debian that is installed. What arrives is left in DIRECTORY/out.ts. With
# only-load DCCP is loaded, and no more.

# shellcheck disable=SC2016,SC2317	# sh in the system expands it; until_() calls functions
if [ $# -lt 2 ] || [ -z "${LAB_KERNEL-}" ]; then
	echo "1..0 # SKIP this is a part of selftests/readme.sh"
	exit 4
fi
root=$1
keep=$2
# shellcheck source=selftests/fresh-guest.sh
. "$(dirname "$0")/fresh-guest.sh"
enter "$root"
home=$system/home/user

# user NAMESPACE COMMAND: by the system's user, in a machine of the pair
user() {
	inside ip netns exec "$1" runuser -u user -- sh -c "cd && exec $2"
}
# until SECONDS COMMAND...
until_() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return
		sleep 1
	done
}
now() {
	date +%s
}
# machines A B: two namespaces, which have what the machine was told, and a link of 2 Mbit/s
machines() {
	inside sh -ec "for end in $1 $2; do ip netns add \$end; ip -n \$end link set lo up; done
		ip link add left netns $1 type veth peer name right netns $2
		ip -n $1 address add 10.0.2.1/24 dev left; ip -n $1 link set left up
		ip -n $2 address add 10.0.2.2/24 dev right; ip -n $2 link set right up
		tc -n $1 qdisc add dev left root netem delay 20ms rate 2mbit limit 300
		tc -n $2 qdisc add dev right root netem delay 20ms rate 2mbit limit 300"
}
listens() {
	inside ip netns exec "$1" ss --dccp -Hnl 'sport = :5004' | grep -q .
}
connected() {
	inside ip netns exec "$1" ss --dccp -Hni state established | grep -q pacing_rate
}
bytes() {
	[ "$(stat -c %s "$home/out.ts" 2>/dev/null || echo 0)" -ge "$1" ]
}

begin=$(now)
inside sh -ec "cd /home/user/dccp && $(<$home/third)" || exit
echo "third: done"
loaded=$(now)
[ "${3-}" != only-load ] || exit 0

machines sender viewer
user sender "$(<$home/sender)" >/dev/null 2>"$keep/sender" &
until_ 2000 listens sender || echo "# VLC does not listen"
listening=$(now)
user viewer "c$(<$home/viewer) --sout '#std{access=file,mux=ts,dst=out.ts}'" \
	>/dev/null 2>"$keep/viewer" &
until_ 2000 connected sender
until_ 600 bytes 100000
echo "ss: $(inside ip netns exec sender ss --dccp -Hni state established | tr -s '\n\t ' ' ')"
until_ 600 bytes 400000
arrived=$(now)
inside sh -c 'kill $(ip netns pids sender) $(ip netns pids viewer)'
sleep 2
cp $home/out.ts "$keep/"
echo "# in the guest: DCCP is loaded after $((loaded - begin)) s, VLC listens after" \
	"$((listening - loaded)) s, 400 kB have arrived after $((arrived - listening)) s"

machines receiver from
head -c 300000 /dev/urandom >$home/sent
user receiver "$(<$home/socat-receiver)" &
until_ 600 listens receiver || echo "# socat does not listen"
user from "$(<$home/socat-sender)"
wait $!
cmp $home/sent $home/received && echo "socat: the same"
exit 0
