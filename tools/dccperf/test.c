// SPDX-License-Identifier: GPL-2.0-only
/*
 * The values of a test, in tables: a floating-point value that is not known is NAN, and
 * is not sent, not shown, and null in JSON.
 */
#include "packet.h"
#include "test.h"

#define BIG		9e15		/* exact as a double, and in JSON */

#define T(m, type, lo, hi)	FIELD(struct test, m, type, lo, hi)
#define U(m, hi)		T(m, F_U64, 0, hi)

#define SCHEME_FIELD(scheme, key, factor, zero, max, is)	U(scheme##_##key, max),

const struct field test_fields[] = {
	U(port, 65535),
	U(stream, UINT32_MAX),
	U(reverse, 1),
	U(source, SOURCE_VIDEO),
	U(file_rate, 1),
	U(len, MAX_PAYLOAD),
	U(rate, 1e12),
	U(bytes, BIG),
	U(flows, MAX_FLOWS),
	U(flow, MAX_FLOWS),
	U(qlen, INT32_MAX),
	T(time, F_F64, 0, 1e6),
	T(omit, F_F64, 0, 1e6),
	T(cov, F_F64, 1e-3, 1e6),
	T(late, F_F64, 0, 1e5),
	T(deadline, F_F64, 0, 1e9),
	T(gap, F_F64, 0, 1e5),
	SCHEME_PARAMS(SCHEME_FIELD)
	T(layers, F_STR, 0, 0),
	T(title, F_STR, 0, 0),
	{ }
};

#define S(m)	FIELD(struct sender_result, m, F_F64, -BIG, BIG)
#define SU(m)	FIELD(struct sender_result, m, F_U64, 0, BIG)

const struct field sender_fields[] = {
	SU(tx_ccid), SU(rx_ccid), SU(mps), SU(len),
	SU(packets), SU(packets_total), SU(bytes), SU(skipped), SU(above_k),
	SU(k_changes),
	S(seconds), S(bits_per_second), S(cov), S(cov_seconds),
	S(x), S(x_calc), S(x_recv), S(p), S(rtt_ms), S(tokens),
	SU(kept_back),
	FIELD(struct sender_result, error, F_STR, 0, 0),
	{ }
};

#define R(m)	FIELD(struct receiver_result, m, F_F64, -BIG, BIG)
#define RU(m)	FIELD(struct receiver_result, m, F_U64, 0, BIG)

const struct field receiver_fields[] = {
	RU(tx_ccid), RU(rx_ccid),
	RU(packets), RU(bytes), RU(lost), RU(reordered), RU(duplicates),
	RU(foreign),
	R(seconds), R(bits_per_second), R(lost_percent),
	R(jitter_ms), R(interarrival_ms), R(interarrival_sd_ms),
	R(cov), R(cov_seconds),
	R(late_ms), R(late_percent), R(late_or_lost_percent),
	R(delay_p50_ms), R(delay_p95_ms), R(delay_p99_ms), R(delay_max_ms),
	R(gap_ms), R(gap_percent), R(delivery_index),
	R(variation_p95_ms), R(variation_max_ms),
	R(random), R(congestion), R(timeouts), R(loss_events), R(feedbacks),
	FIELD(struct receiver_result, error, F_STR, 0, 0),
	{ }
};

#define I(m)	FIELD(struct interval, m, F_F64, 0, BIG)
#define IU(m)	FIELD(struct interval, m, F_U64, 0, BIG)
#define II(m)	{							\
	#m, F_F64, offsetof(struct interval, info) +			\
	offsetof(struct tx_info, m), sizeof(double), -BIG, BIG }

const struct field sender_interval_fields[] = {
	I(start), I(end), I(seconds), IU(bytes), IU(packets),
	I(bits_per_second),
	II(x), II(x_inst), II(x_calc), II(x_recv), II(x_send), II(p), II(rtt_ms),
	II(tokens), II(requested), II(x_tcp), II(k),
	II(rate), II(virtual_bandwidth), II(asked), II(increase),
	II(bottleneck), II(loss), II(decision),
	II(dto_ms), II(kept_back),
	{ }
};

#define IR(m)	{							\
	#m, F_F64, offsetof(struct interval, rx) +			\
	offsetof(struct rx_info, m), sizeof(double), -BIG, BIG }

const struct field receiver_interval_fields[] = {
	I(start), I(end), I(seconds), IU(bytes), IU(packets), IU(lost),
	I(bits_per_second),
	IR(k), IR(r), IR(receiving), IR(mean), IR(deviation),
	IR(random), IR(congestion), IR(timeouts),
	{ }
};

const struct field ccids_fields[] = {
	FIELD(struct ccids, tx_ccid, F_U64, 0, 255),
	FIELD(struct ccids, rx_ccid, F_U64, 0, 255),
	{ }
};

const struct field error_fields[] = {
	FIELD(struct peer_error, error, F_STR, 0, 0),
	{ }
};

/* The results of a peer that sends. Returns an error message, or NULL. */
const char *sender_parse(struct sender_result *r, char *text)
{
	const char *err = fields_parse(sender_fields, r, text);

	if (!err && r->kept_back > r->packets_total)
		err = "kept_back: expected no more than packets_total";
	return err;
}
