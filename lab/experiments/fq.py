# SPDX-License-Identifier: GPL-2.0-only
"""Our pacer beside TCP under fq, where time is real: share of a rate that is sent, and spacing.

CTFAF has its constraints for a rate. TCP is Cubic, and fq at its device has "maxrate" for it.
Packets have 1400 bytes, or what the rate says; those of the last one have 1000. The guest is
Debian's 6.12, emulated, with two processors; "busy": on each of them a program spins. The path
has 20 ms and no limit. *share* is that of the rate, from 5 s to 14 s, by the counters of the
sender's device: of payload for CTFAF, of Ethernet frames for TCP, as each of them counts.
*error*: of the time between two data packets on the wire, quantiles in us. It needs a host that
does nothing else.
"""

import json
import pathlib

import numpy as np

from labkit import Experiment, Flow, Scenario, Table, guest, matrix, metrics, networks

RATES = {"10 Mbit/s": (10e6, 1400), "50 Mbit/s": (50e6, 1400), "200 Mbit/s": (200e6, 1400),
         "200 Mbit/s, 9000 bytes": (200e6, 9000), "1000 packets/s": (8e6, 1000)}
FROM, TO, END = 5, 14, 15
NOTE = "cat /proc/uptime /sys/class/net/r1/statistics/tx_packets " \
    "/sys/class/net/r1/statistics/tx_bytes"


def scenario(rate, flow, load):
    """What the guest carries out."""
    bits, size = RATES[rate]
    spins = [("", "sh -c 'while :; do :; done >/dev/null 2>&1 &'")] * (2 * (load == "busy"))
    notes = [(t, "left", f"sh -c '{NOTE} >{t}.txt'") for t in (FROM, TO)]
    shape = [("left", f"tc qdisc replace dev r1 root fq maxrate {bits:.0f}bit")]
    own = Flow(flow, parameters=dict.fromkeys(("r_min", "r_start"), int(bits)) | {
        "r_max": int(bits) + 8, "target_delay": 0}, options=["-l", size, "--qlen", 100])
    tcp = flow == "cubic"
    return Scenario({"rate": "1gbit", "rtt": 20, "queue": 10000, "mtu": size + 100},
                    [own] * (not tcp), [f"--tcp 0:{END} --congestion cubic"] * tcp, END,
                    spins + (shape + networks.tcp(size + 52, old=False, window=0)) * tcp, notes,
                    capture=rate == "1000 packets/s")


def measure(seed, rate, flow, load):        # pylint: disable=unused-argument
    """Inside the guest."""
    what = scenario(rate, flow, load)
    seen = guest.run(what.data())
    texts = [pathlib.Path(f"{t}.txt").read_text(encoding="ascii").split() for t in (FROM, TO)]
    seconds, _, packets, sent = (float(b) - float(a) for a, b in zip(*texts))
    bits, size = RATES[rate]
    values = {"share": (sent if flow == "cubic" else packets * size) * 8 / bits / seconds}
    if what.capture:
        pathlib.Path("guest.json").write_text(json.dumps(seen), encoding="ascii")
        rows = metrics.read(".", seen, what).within((FROM, TO)).rows(
            "tcp" if flow == "cubic" else "media", "sent")
        gaps = np.diff(np.sort(rows.loc[rows["payload"] > 0, "sent"].to_numpy())) * 1e6
        error = np.abs(gaps - (size + 66 * (flow == "cubic")) * 8e6 / bits)
        values |= {f"error, {q} %": float(np.quantile(error, q / 100)) for q in (50, 90, 99)}
    return values


EXPERIMENT = Experiment(
    title="Our pacer beside TCP under fq, with real timers",
    source="no paper",
    cases=matrix(load=("quiet", "busy"), rate=RATES, flow=("ctfaf", "cubic")),
    measure=measure, group="by hand", guest=lambda **_: ["--kernel", "6.12"],
    kernels=("6.12",),
    tables=[Table(load, where={"load": load}) for load in ("quiet", "busy")])
