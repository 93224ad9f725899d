/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TFRC_COMPAT_H
#define _TFRC_COMPAT_H

/*
 * The library and the CCIDs call the kernel's functions by their newest names.  Here
 * are these names for older kernels.
 */
#include <linux/hrtimer.h>
#include <linux/timer.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#ifndef timer_container_of	/* before 6.16 */
#define timer_container_of	from_timer
#endif

#endif /* _TFRC_COMPAT_H */
