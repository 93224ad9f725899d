# SPDX-License-Identifier: GPL-2.0-only
"""What is measured: functions of a run, all over one common window.

Each function here returns the metric itself, which takes a Run and returns a number.
"name" is a class of flows: media (or the name that a Flow was given), tcp, udp, crowd,
web. Rates are those of IP packets, at one of three places:

    sent        as they come to the bottleneck
    passed      as they leave it
    arrived     at the receivers (scenarios with at_right)

A value that does not exist is NaN.
"""

import functools
import io
import math
import os

import numpy as np
import pandas as pd

from labkit import capture


class Run:
    """A run, seen through a window: from start to end, in s."""

    def __init__(self, packets, back, window, *, traces=(), reports=(), scenario=None,
                 derived=None):
        self.packets, self.back, self.window = packets, back, window
        self.traces, self.reports, self.scenario = traces, reports, scenario
        # What was computed of the whole run, for all its windows
        self.derived = {} if derived is None else derived
        # Metrics ask for the same again and again.
        self.rows, self.bins = functools.cache(self.rows), functools.cache(self.bins)

    def within(self, window):
        """The same run over another window."""
        return Run(self.packets, self.back, window, traces=self.traces, reports=self.reports,
                   scenario=self.scenario, derived=self.derived)

    def first(self):
        """The same run with the trace of its first media flow only."""
        return Run(self.packets, self.back, self.window, traces=self.traces[:1],
                   reports=self.reports[:1], scenario=self.scenario, derived=self.derived)

    @property
    def seconds(self):
        """The window's length."""
        return self.window[1] - self.window[0]

    def rows(self, name, at):
        """Packets of a class that were at a place within the window."""
        p = self.packets
        return p[(p["name"] == name) & (p[at] >= self.window[0]) & (p[at] < self.window[1])]

    def flows(self, name):
        """All flows of a class, also those of which nothing is in the window."""
        return sorted(self.packets.loc[self.packets["name"] == name, "flow"].unique())

    def bins(self, name, scale, at, column="size"):
        """Bytes of each flow (a row each) in each bin of so many seconds; whole bins only."""
        flows, count = self.flows(name), int(self.seconds / scale + 1e-9)
        result = np.zeros((len(flows), count))
        rows = self.rows(name, at)
        index = ((rows[at] - self.window[0]) / scale).astype(int).to_numpy()
        whole = index < count
        np.add.at(result, (np.searchsorted(flows, rows["flow"].to_numpy()[whole]), index[whole]),
                  rows[column].to_numpy()[whole])
        return result


def lines(path):
    """A trace of dccperf. A line that its end cut off does not count."""
    if not os.path.exists(path):
        return pd.DataFrame({"mono": []})
    with open(path, encoding="ascii") as file:
        text = file.read()
    whole = text[:text.rfind("\n") + 1]
    return pd.read_csv(io.StringIO(whole)) if whole else pd.DataFrame({"mono": []})


def read(directory, guest, scenario):
    """What a guest left in a directory."""
    packets, back = capture.read(directory)
    traces = []
    for i in range(len(guest["reports"])):
        trace = lines(os.path.join(directory, f"{i}.csv"))
        trace["time"] = trace["mono"] - guest["epoch_monotonic"]
        traces.append(trace)
    return Run(packets, back, (0, scenario.seconds), traces=traces, reports=guest["reports"],
               scenario=scenario)


def mean(values):
    """NaN if there are none."""
    values = [v for v in values if v is not None and not math.isnan(v)]
    return sum(values) / len(values) if values else math.nan


def variation(values):
    """Coefficient of variation: standard deviation over mean."""
    middle = np.mean(values)
    return float(np.std(values) / middle) if middle else math.nan


# ------------------------------------------------------------------------ rates

def total(name, at="passed", column="size"):
    """kbit/s of all flows of a class together."""
    return lambda run: float(run.rows(name, at)[column].sum()) * 8e-3 / run.seconds


def rate(name, at="passed", column="size"):
    """kbit/s of a flow, mean of the class."""
    return lambda run: total(name, at, column)(run) / max(1, len(run.flows(name)))


def share(name, of, at="passed"):
    """Mean rate of a flow over that of a flow of another class."""
    return lambda run: rate(name, at)(run) / (rate(of, at)(run) or math.nan)


def used(bits_per_second, *names, at="passed"):
    """Share of the link that these classes use; all packets if none is named."""
    def metric(run):
        classes = names or run.packets["name"].unique()
        return sum(total(name, at)(run) for name in classes) * 1e3 / bits_per_second
    return metric


def goodput(name="tcp", at="passed"):
    """kbit/s of a flow of new data, mean of the class: TCP's retransmissions do not count.

    Without TCP's sequence number all data is new.
    """
    def metric(run):
        fresh = 0
        for _, group in run.packets[run.packets["name"] == name].groupby("flow"):
            rows = group[group[at].notna() & (group["payload"] > 0)].sort_values(at)
            if rows.empty:
                continue
            new = rows["payload"].to_numpy(float)
            if (rows["seq"] >= 0).all():
                # Sequence numbers without the wrap at 2^32
                ends = np.unwrap(rows["seq"].to_numpy(float) + new, period=2.0**32)
                top = np.maximum.accumulate(ends)
                new = np.diff(top, prepend=top[0] - new[0])
            within = (rows[at] >= run.window[0]) & (rows[at] < run.window[1])
            fresh += float(new[within.to_numpy()].sum())
        return fresh * 8e-3 / run.seconds / max(1, len(run.flows(name)))
    return metric


# --------------------------------------------------------------- loss and delay

def loss(name=None, to="passed"):
    """% of the packets that came to the bottleneck in the window and never came to a place."""
    def metric(run):
        p = run.packets
        names = [name] if name else list(p["name"].unique())
        rows = pd.concat([run.rows(n, "sent") for n in names]) if names else p.iloc[:0]
        return 100 * float(rows[to].isna().mean()) if len(rows) else math.nan
    return metric


def delay(name="media", quantile=None):
    """ms from coming to the bottleneck to leaving it: mean, or a quantile (1: the largest)."""
    def metric(run):
        rows = run.rows(name, "sent")
        times = (rows["passed"] - rows["sent"]).dropna() * 1e3
        if times.empty:
            return math.nan
        return float(times.mean() if quantile is None else times.quantile(quantile))
    return metric


def loss_event_rate(rtt, name="media", at="passed"):
    """p, as RFC 5348 has it: loss events over packets sent; losses within an RTT are one."""
    def metric(run):
        events, sent = 0, 0
        for _, group in run.rows(name, "sent").groupby("flow"):
            rows, last = group.sort_values("sent"), -math.inf
            sent += len(rows)
            for when in rows.loc[rows[at].isna(), "sent"]:
                if when >= last + rtt:
                    events, last = events + 1, when
        return events / sent if sent else math.nan
    return metric


# ------------------------------------------------------- smoothness and fairness

def cov(name, scale, at="sent", column="size"):
    """CoV of a flow's rates in bins of so many seconds, mean of the flows that send."""
    return lambda run: mean(variation(b) for b in run.bins(name, scale, at, column) if b.any())


def deviation(name, scale, at="passed"):
    """Standard deviation of a flow's rates in bins, kbit/s, mean of the flows."""
    return lambda run: mean(np.std(b) * 8e-3 / scale for b in run.bins(name, scale, at))


def steadiest(name, scale, at="passed"):
    """Rates of each flow in bins, kbit/s: first the flow with the least deviation."""
    def metric(run):
        rates = run.bins(name, scale, at) * 8e-3 / scale
        return rates[np.argsort(rates.std(axis=1))]
    return metric


def spread(name, at="passed"):
    """Standard deviation of the flows' mean rates, kbit/s."""
    def metric(run):
        rates = run.bins(name, run.seconds, at)[:, 0] * 8e-3 / run.seconds
        return float(np.std(rates)) if len(rates) else math.nan
    return metric


def fairness(name, at="passed"):
    """Jain's index of the flows' mean rates: 1 if all are equal."""
    def metric(run):
        rates = run.bins(name, run.seconds, at)[:, 0]
        return float(rates.sum() ** 2 / (len(rates) * (rates ** 2).sum())) \
            if rates.any() else math.nan
    return metric


def worst_fairness(name, at="passed"):
    """Least mean rate of a flow over the greatest."""
    def metric(run):
        rates = run.bins(name, run.seconds, at)[:, 0]
        return float(rates.min() / rates.max()) if rates.any() else math.nan
    return metric


def equivalence(one, other, scale, at="sent"):
    """Lesser rate of two flows over the greater one, mean over bins and pairs of flows."""
    def metric(run):
        a, b = run.bins(one, scale, at), run.bins(other, scale, at)
        pairs = [(x, y) for i, x in enumerate(a) for y in (b[:i] if one == other else b)]
        return mean(ratio(x, y) for x, y in pairs)

    def ratio(x, y):
        some = (x > 0) | (y > 0)
        return float(np.mean(np.minimum(x, y)[some] / np.maximum(x, y)[some])) \
            if some.any() else math.nan
    return metric


def gaps(name, longer, at="arrived"):
    """% of the data packets that come more than so many seconds after the one before."""
    def metric(run):
        wide = count = 0
        for _, rows in run.rows(name, at).groupby("flow"):
            times = np.sort(rows.loc[rows["payload"] > 0, at].to_numpy())
            wide, count = wide + int((np.diff(times) > longer).sum()), count + len(times)
        return 100 * wide / count if count else math.nan
    return metric


def acks(name, column=None):
    """Packets that reach the senders for each packet of theirs; with "size": % of their bytes.

    Both are counted before the bottleneck: what was lost on the way back is not there.
    """
    def metric(run):
        back = run.back[(run.back["name"] == name) & (run.back["sent"] >= run.window[0]) &
                        (run.back["sent"] < run.window[1])]
        data = run.rows(name, "sent")
        if data.empty:
            return math.nan
        return 100 * float(back[column].sum() / data[column].sum()) if column \
            else len(back) / len(data)
    return metric


# ------------------------------------------------- what the sender's CCID says

def trace(column, how="mean", scale=1, after=None):
    """A column of dccperf's trace in the window, mean of the media flows.

    how: mean, min, max, last, cov, std, changes (how often it changes), step (largest change);
    after: the value so many seconds after the window's start.
    """
    def of(run, rows):
        rows = rows[(rows["time"] >= run.window[0]) & (rows["time"] < run.window[1])]
        if after is not None:
            rows = rows[rows["time"] >= run.window[0] + after].head(1)
        values = rows[column].dropna().to_numpy(float)
        if not len(values):
            return math.nan
        steps = np.abs(np.diff(values)) if len(values) > 1 else np.zeros(1)
        return float({"mean": np.mean, "min": np.min, "max": np.max, "std": np.std,
                      "last": lambda v: v[-1], "cov": variation,
                      "changes": lambda v: (steps > 0).sum() / scale,
                      "step": lambda v: steps.max()}[how](values)) * scale
    return lambda run: mean(of(run, t) for t in run.traces if column in t)


def said(end, key, scale=1):
    """What dccperf's report says at its end, sender or receiver; mean of the media flows."""
    def metric(run):
        values = [r["end"][end].get(key) for r in run.reports if r and "end" in r]
        return mean(v * scale for v in values if v is not None)
    return metric


# ----------------------------------------------------------------------- series

def rates(name, scale=1, at="sent", flow=None):
    """A series: kbit/s in each bin, of one flow or the mean of the class."""
    def series(run):
        b = run.bins(name, scale, at) * 8e-3 / scale
        return (b[flow] if flow is not None else b.mean(axis=0) if len(b) else b).tolist()
    return series


def traced(column, scale=1, every=1, flow=0):
    """A series: a column of a flow's trace in the window, every so many lines."""
    def series(run):
        t = run.traces[flow]
        t = t[(t["time"] >= run.window[0]) & (t["time"] < run.window[1])]
        return (t[column].to_numpy(float)[::every] * scale).tolist()
    return series


def constant(value):
    """The same for every run."""
    return functools.partial(lambda value, run: value, value)
