# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# In a guest: a Debian that is installed in a folder of the host (fresh.sh).	Kernels: none
system=/mnt/root

# enter ROOT: what is written to the system is lost at the end of the guest's life
enter() {
	mount -t tmpfs scratch /mnt
	mkdir /mnt/upper /mnt/work $system
	mount -t overlay -o "lowerdir=$1,upperdir=/mnt/upper,workdir=/mnt/work" root $system || exit
	mount -t proc proc $system/proc
	mount -t sysfs sys $system/sys
	mount --rbind /dev $system/dev
	mount -t tmpfs run $system/run
	# In User Mode Linux: the system without its kernel
	[ -d "$system/lib/modules/$(uname -r)" ] || mount --bind /lib/modules $system/lib/modules
}

# A command in the system
inside() {
	chroot $system env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		HOME=/root TERM=dumb LC_ALL=C.UTF-8 "$@"
}
