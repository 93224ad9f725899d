// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receiver of CTFAF. It reports once in T (lib_tfrc, interval_receiver.c), and
 * measures the bottleneck by packet pairs (pair.c). The sender states T and R.
 */
#include <linux/container_of.h>
#include "ctfaf.h"

static struct ctfaf_receiver *ctfaf_receiver_of(struct tfrc_receiver *r)
{
	return container_of(r, struct ctfaf_receiver, ir.base);
}

/**
 * ctfaf_receiver_packet - a packet has arrived
 * @r: receiver, of a struct ctfaf_receiver
 * @pkt: the packet
 * @now: time of arrival, ns
 *
 * Return: true if a report is due now
 */
bool ctfaf_receiver_packet(struct tfrc_receiver *r,
			   const struct tfrc_rx_packet *pkt, u64 now)
{
	struct ctfaf_receiver *cr = ctfaf_receiver_of(r);

	/* Options of a late packet are ignored, because they are out of date. */
	if (r->options & CTFAF_HAS_INTERVAL && pkt->newest) {
		cr->ir.interval = cr->interval;
		tfrc_receiver_set_rtt(r, cr->rtt);
	}
	if (pkt->is_data)
		pair_packet(&cr->pair, pkt->seq, pkt->ccval, pkt->len, now);
	return interval_receiver_packet(&cr->ir, pkt, now);
}

/**
 * ctfaf_receiver_report - fill in a report
 * @r: receiver, of a struct ctfaf_receiver
 * @fb: set
 * @now: ns
 */
void ctfaf_receiver_report(struct tfrc_receiver *r, struct tfrc_feedback *fb,
			   u64 now)
{
	struct ctfaf_receiver *cr = ctfaf_receiver_of(r);

	interval_receiver_report(&cr->ir, fb, now);
	fb->x_pair = pair_median(&cr->pair);
}
