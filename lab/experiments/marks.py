# SPDX-License-Identifier: GPL-2.0-only
"""RFC 8867, 5.1, with a bottleneck that marks, and the proportional response to marks, or not.

l4s: the parameter. The queue is fq_codel behind the shaper of rtc_capacity. It marks packets with
ECT(1) that have waited for 15 ms (ce_threshold, as an L4S queue does it), and has CoDel with a
target of 15 ms for all others, which marks, too. With l4s packets are sent at X_inst, which is
less than X, so the encoder takes 90 % of the lesser of X and X_inst, in all runs. CTFAF does not
use ECN. There is no target for the delay of the queue. The queue is the time from the
bottleneck's entrance to its exit.
"""

from labkit import Experiment, Table, matrix, media, metrics

LINK, END = ((0, 1e6), (40, 2.5e6), (60, 0.6e6), (80, 1e6)), 99
FALL = LINK[2][0]
MARKS = ("fq_codel limit 1000 quantum 1514 target 15ms interval 100ms ecn ce_threshold 15ms "
         "ce_threshold_selector 0x1/0x3")


def scenario(_rng, seed, flow, l4s):
    """One run."""
    parameters = {"target_delay": 0, "l4s": l4s}
    s = media.scenario("even", [media.call(flow, 0, END, follow="inst", parameters=parameters)],
                       END + 1, LINK, seed=seed)
    s.setup.append(("r1", f"tc qdisc replace dev r2 parent 1:1 handle 2: {MARKS}"))
    return s


def after(quantile):
    """Of the packets that come in the 20 s after the fall."""
    return lambda run: metrics.delay("media", quantile)(run.within((FALL, LINK[3][0])))


EXPERIMENT = Experiment(
    title="A queue that marks, and the response in proportion",
    source="RFC 8867, 5.1",
    cases=matrix(flow=("marc", "ltfrc", "raar", "dvrc"), l4s=(0, 1)),
    seeds=range(1, 6), scenario=scenario, window=(0, END),
    metrics={"use, %": media.use(LINK, "media"), "queue p95, ms": metrics.delay("media", 0.95),
             "after the fall, most": after(1), "mean, after": after(None),
             "frames p95": media.frame_delay(0.95), "good, %": media.good(),
             "lost, %": metrics.loss("media", "arrived"), "down, s": media.drains(FALL)},
    tables=[Table("Even frames, no jitter, no audio")])
