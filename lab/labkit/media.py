# SPDX-License-Identifier: GPL-2.0-only
"""Interactive media: the test cases of RFC 8867 with the metrics of RFC 8868.

scenario() makes the network and the streams of a case. Each path has these stations. The way back
has a bottleneck only if a case asks for it; then a flow from the right meets what one from the left
does:

    sender - capture "sent" - bottleneck (tbf: a queue in bytes, drop-tail) - "passed" -
    propagation and jitter (netem) - "arrived" - receiver

As RFC 8868, 4.3 has it, a queue of so many ms is that time at the capacity of the moment; a
change of capacity changes the queue's limit and drops nothing that waits. A bottleneck that was
idle sends its first packet at once and not after the packet's own time (a property of tbf).

Jitter is that of RFC 8868, 4.5.2 and 4.5.3: half of a Gaussian of 5 ms, at most 15 ms, in each
direction, so 30 ms in a round trip. Packets keep their order: netem with a rate lets none start
before the one before it, and serial(n) is that of 100 Mbit/s. All flows that have the same
propagation delay share one such order, where the RFC has one for each flow. netem's random
numbers are not those of the seed: two runs of a seed have the same frames, not the same jitter.
"""

import dataclasses
import heapq
import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from labkit import flows, metrics
from labkit.encoder import CODECS
from labkit.experiment import Scenario
from labkit.guest import SOURCE_PORT

FLOWS = ("marc", "ltfrc", "marc-interactive", "ltfrc-interactive", "ccid3", "cubic", "raar", "dvrc",
         "ctfaf", "ccid2", "bbr")
GOOD = 0.4                  # s, from making a frame to its last packet's arrival
MTU, ETHERNET = 1500, 14
STEP = 0.5                  # s, of what is looked for over time


@dataclasses.dataclass
class Stream:
    """A flow of lab/media, as labkit/guest.py starts it."""
    kind: str                   # of flows.KINDS, or "audio"
    codec: str                  # of encoder.CODECS
    start: float
    end: float
    one_way: float              # ms of propagation
    right: bool = False         # from right to left
    pause: str = ""             # FROM:TO, s after its start
    seed: str = "1"
    follow: str = "inst"        # --follow of lab/media
    parameters: Mapping = dataclasses.field(default_factory=dict)

    @property
    def name(self):
        """The class of flows in which it is counted."""
        return ("audio" if self.kind == "audio" else "media") + " back" * self.right

    def data(self):
        """As the guest gets it."""
        kind = flows.KINDS.get(self.kind)
        words = {**(kind.parameters if kind else {}), **self.parameters}
        receiver = [w for k, v in words.items() for w in ("--set", f"{k}={v}")]
        options = ["--codec", self.codec, "--seed", self.seed, *receiver]
        options += ["--audio"] if not kind else []
        options += ["--pause", self.pause] if self.pause else []
        options += ["--follow", self.follow] if self.follow != "inst" else []
        return {"name": self.name, "ccid": kind.ccid if kind else "udp", "start": self.start,
                "end": self.end, "codec": self.codec, "right": self.right, "options": options,
                "receiver": receiver}


def call(kind, start, end, *, one_way=50, right=False, pause="", follow="inst", parameters=None):
    """One video of a case; scenario() adds the audio beside it."""
    return Stream(kind, "", start, end, one_way, right, pause, follow=follow,
                  parameters=parameters or {})


# ---------------------------------------------------------------------- network

def shaper(verb, ns, dev, rate, queue):
    """The bottleneck: so many bit/s, a queue of so many ms."""
    limit = max(2 * MTU, int(rate / 8 * queue / 1e3))
    return (ns, f"tc qdisc {verb} dev {dev} root handle 1: stab overhead -{ETHERNET} tbf "
            f"rate {int(rate)}bit burst {MTU + ETHERNET} limit {limit}")


def propagation(ns, dev, one_way, jitter, where="root handle 1:"):
    """So many ms, and the jitter of RFC 8868."""
    varied = " 5ms distribution media rate 100mbit" * jitter
    return (ns, f"env TC_LIB_DIR=. tc qdisc replace dev {dev} {where} netem limit 1000000 "
            f"delay {one_way}ms{varied}")


def ways(ns, dev, delays, jitter, end):
    """Propagation by flow: delays of ports in ms; end: sport or dport tells the flow."""
    different = sorted(set(delays.values()))
    if len(different) == 1:
        return [propagation(ns, dev, different[0], jitter)]
    setup = [(ns, f"tc qdisc replace dev {dev} root handle 1: prio bands {len(different)} priomap"
              + " 0" * 16)]
    setup += [propagation(ns, dev, delay, jitter, f"parent 1:{band} handle {10 + band}:")
              for band, delay in enumerate(different, 1)]
    return setup + [
        (ns, f"tc filter add dev {dev} parent 1: protocol ip u32 match ip {end} {port} 0xffff "
         f"flowid 1:{different.index(delay) + 1}") for port, delay in delays.items()]


def scenario(setting, calls, seconds, capacity, *, seed, back_capacity=(), back_way=None,
             queue=300, traffic=()):
    """A case. Capacities are (s, bit/s), the first at 0; none: of any capacity.

    setting: the codec, and whether there is jitter and audio. back_way: ms from right to left,
    by default that of each flow from left to right.
    """
    codec, streams = CODECS[setting], []
    for i, video in enumerate(calls):
        streams.append(dataclasses.replace(video, codec=setting, seed=f"{seed}.{i}"))
    if codec.audio:
        streams += [dataclasses.replace(s, kind="audio", follow="inst", parameters={})
                    for s in streams]
    ports = {SOURCE_PORT + i: s.one_way for i, s in enumerate(streams)}
    if back_way is not None:
        back = dict.fromkeys(ports, back_way)
    else:
        back = ports
    setup = [("", "media jitter .")] * codec.audio
    setup += [shaper("replace", "r1", "r2", capacity[0][1], queue),
              *ways("r2", "right", ports, codec.audio, "sport"),
              shaper("replace", "r2", "r1", back_capacity[0][1], queue) if back_capacity else
              ("r2", "tc qdisc del dev r1 root"),
              *ways("r1", "left", back, codec.audio, "dport")]
    setup += [(ns, "sysctl -qw net.ipv4.tcp_no_metrics_save=1") for ns in ("left", "right")]
    events = [(when, *shaper("change", ns, dev, rate, queue))
              for ns, dev, changes in (("r1", "r2", capacity), ("r2", "r1", back_capacity))
              for when, rate in changes[1:]]
    return Scenario({"rate": "1gbit", "rtt": 0, "queue": 1000}, streams, traffic, seconds, setup,
                    events, at_right=True)


# ---------------------------------------------------------------------- metrics

def delivered(rows):
    """When the first so many bytes of a TCP flow had all arrived: two arrays, bytes and times."""
    base = int(rows["seq"].iloc[0]) + 1         # after the SYN
    data = rows[(rows["payload"] > 0) & rows["arrived"].notna()].sort_values("arrived")
    upto, waiting, bytes_, times = 0, [], [], []
    for seq, size, when in data[["seq", "payload", "arrived"]].itertuples(index=False):
        start = (int(seq) - base) % 2**32
        heapq.heappush(waiting, (start, start + size))
        while waiting and waiting[0][0] <= upto:
            upto = max(upto, heapq.heappop(waiting)[1])
        bytes_.append(upto)
        times.append(when)
    return np.array(bytes_), np.array(times)


def completed(trace, rows):
    """When each frame of a trace had arrived as a whole, s; NaN: never."""
    if rows.empty:
        return np.full(len(trace), math.nan)
    if trace["end"].notna().any():              # TCP
        upto, times = delivered(rows.sort_values("sent"))
        at = np.searchsorted(upto, trace["end"].to_numpy(float))
        there = np.append(times, math.nan)[np.minimum(at, len(times))]
        return np.where(trace["end"].notna(), there, math.nan)
    arrived = rows[(rows["payload"] > 0) & rows["arrived"].notna()].groupby("tag")["arrived"]
    count = trace["frame"].map(arrived.count())
    return np.where(count >= trace["packets"], trace["frame"].map(arrived.max()), math.nan)


def frames(run):
    """All frames that encoders made: class, flow, when made, bytes, when complete, one-way s."""
    if "frames" not in run.derived:
        parts = []
        for i, stream in enumerate(run.scenario.media):
            if stream.kind == "audio":
                continue
            trace = run.traces[i]
            rows = run.packets[run.packets["flow"] == SOURCE_PORT + i]
            parts.append(pd.DataFrame({
                "name": stream.name, "flow": SOURCE_PORT + i, "made": trace["time"],
                "bytes": trace["bytes"], "done": completed(trace, rows),
                "one_way": stream.one_way / 1e3}))
        run.derived["frames"] = pd.concat(parts, ignore_index=True)
    return run.derived["frames"]


def made(run, name):
    """Frames of a class that were made in the window."""
    f = frames(run)
    return f[(f["name"] == name) & (f["made"] >= run.window[0]) & (f["made"] < run.window[1])]


def good(name="media", within=GOOD):
    """% of the frames that arrived as a whole within so many s, of all that were made."""
    def metric(run):
        f = made(run, name)
        return 100 * float((f["done"] - f["made"] <= within).mean()) if len(f) else math.nan
    return metric


def frame_delay(quantile=None, name="media"):
    """ms from the making of a frame to its last packet's arrival, less propagation."""
    def metric(run):
        f = made(run, name)
        times = (f["done"] - f["made"] - f["one_way"]).dropna() * 1e3
        if times.empty:
            return math.nan
        return float(times.mean() if quantile is None else times.quantile(quantile))
    return metric


def one_way_delay(quantile, name="media"):
    """ms of a packet with data from the sender to the receiver, a quantile."""
    def metric(run):
        rows = run.rows(name, "sent")
        times = (rows["arrived"] - rows["sent"])[rows["payload"] > 0].dropna() * 1e3
        return float(times.quantile(quantile)) if len(times) else math.nan
    return metric


def mean_capacity(capacity, window):
    """bit/s, mean over the window."""
    ends = [when for when, _ in capacity[1:]] + [math.inf]
    return sum(rate * max(0, min(end, window[1]) - max(start, window[0]))
               for (start, rate), end in zip(capacity, ends)) / (window[1] - window[0])


def use(capacity, *names):
    """% of the link, of IP packets of these classes or of all."""
    return lambda run: 100 * metrics.used(mean_capacity(capacity, run.window), *names)(run)


def reaches(level, when=0, flow=None, name="media"):
    """s from a moment of the run until flows have a rate (kbit/s): over 1 s, by steps of 0.5 s.

    flow: the number of one flow; by default all flows of the class together.
    """
    def metric(run):
        chosen = SOURCE_PORT + flow if flow is not None else None
        start, end = when, run.window[1]
        while start + 1 <= end:
            rows = run.within((start, start + 1)).rows(name, "passed")
            if chosen:
                rows = rows[rows["flow"] == chosen]
            if rows["size"].sum() * 8e-3 >= level:
                return start + 1 - when
            start += STEP
        return math.nan
    return metric


def drains(when, limit=100, name="media"):
    """s from a fall of the capacity until the queue that it caused is below so many ms; 0: none.

    NaN: it never is, or no packet came after the fall.
    """
    def metric(run):
        rows = run.within((when, run.window[1])).rows(name, "passed")
        delays = ((rows["passed"] - rows["sent"]) * 1e3).groupby(
            ((rows["passed"] - when) // STEP).astype(int)).max()
        if delays.empty:
            return math.nan
        high = delays.index[delays >= limit]
        if not len(high) or high[0] * STEP > 5:
            return 0.0
        low = delays.index[(delays < limit) & (delays.index > high[0])]
        return float(low[0] * STEP) if len(low) else math.nan
    return metric


def of_all(capacity, name="media", together=None):
    """The metrics that every case has.

    together: the time in which all calls send, if it is not the whole window. A rate and its CoV
    are of that, because a call that has not begun would count as one that sends nothing.
    """
    def steady(metric):
        return (lambda run: metric(run.within(together))) if together else metric

    when = f", from {together[0]} s" if together else ""
    return {"use, %": use(capacity, name),
            f"kbit/s{when}": steady(metrics.rate(name, "arrived", "payload")),
            "frames, ms": frame_delay(name=name), "p95": frame_delay(0.95, name),
            **{f"packets p{round(100 * q)}": one_way_delay(q, name) for q in (0.5, 0.95, 0.99)},
            "lost, %": metrics.loss(name, "arrived"), "good, %": good(name),
            f"CoV{when}": steady(metrics.cov(name, 1)), "feedback, %": metrics.acks(name, "size")}
