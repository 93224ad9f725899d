# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios for ns-2, and its packets. Nothing is simulated."""

import math
import os

import pandas as pd
import pytest
from labkit import Flow, Scenario, metrics, networks, ns2
from labkit.experiment import HEADERS


def lines(*traffic, red=False, flow="ns2", events=(), options=(), setup=None):
    """Of the file for lab/ns2.tcl, by what they begin with."""
    topology = {"rate": "1.5mbit", "rtt": 140, "queue": 52, "mtu": 1100,
                **({"red": True} if red else {})}
    scenario = Scenario(topology, [Flow(flow, 1, options=["-l", 1000 - HEADERS, *options],
                                        parameters={"loss_history": 128})], traffic, 100,
                        networks.tcp(1000) if setup is None else setup, events=events)
    return [line.split(" ", 1) for line in ns2.script(scenario, 7)[0].splitlines()]


def test_dumbbell():
    """Half of the round-trip time on each way. With the packet on the link ns-2 holds 52, too."""
    assert ["dumbbell", "1500000 0.07 52 DropTail"] in lines()
    assert ["ns-random", "7"] in lines()


def test_end():
    """What is under way at the end arrives before ns-2 stops: it is not lost."""
    assert ["run", "102 0.1"] in lines()


def test_red():
    """The product of 1.5 Mbit/s and 140 ms is 26.25 packets: thresholds at 1/4 and 5/4."""
    said = lines(red=True)
    assert ["dumbbell", "1500000 0.07 57 RED"] in said          # 52 of 1100 bytes
    assert ["red", "1000 6.5625 32.8125 0.1 true true"] in said
    said = lines(red=True, flow="ns2-marc-linux-red")
    assert ["red", "1000 6.5625 32.8125 0.1 true false"] in said


@pytest.mark.parametrize("gentle", [True, False])
def test_red_of_networks(gentle):
    """Thresholds of 10 and 50 packets, a tenth dropped at the upper one, room for 100."""
    said = lines(setup=networks.red("15mbit", 1e5, 1e4, 5e4, 1000, gentle=gentle))
    assert ["dumbbell", "15000000 0.07 100 RED"] in said
    assert ["red", f"1000 10 50 0.1 {str(gentle).lower()} true"] in said


def test_drop_tail_of_networks():
    """8750 bytes wait, which is below ns-2's limit. TCP's window is 64 KB."""
    said = lines("--mss 988 --tcp 1:2", setup=networks.drop_tail("1mbit", 8750, 1000) +
                 networks.tcp_of_ns2())
    assert ["dumbbell", "1000000 0.07 8751 DropTail"] in said and ["in_bytes"] in said
    assert dict(s for s in said if len(s) > 1)["tcp"].endswith(" 988 2 0 {window_ 66 }")
    with pytest.raises(ValueError, match="ns-2 has no tc qdisc del dev r1 root"):
        lines(setup=networks.drop_tail("1mbit", 8750, 1000, back=35))


def test_apart():
    """100 and 180 ms, of which 70 ms are on the way back; each flow has that of its address."""
    said = lines("--bind 10.0.1.11 --mss 1448 --tcp 1:2", "--mss 988 --tcp 1:2", "--udp 1",
                 setup=networks.apart((100, 180), 140), options=["-B", networks.address(1)])
    assert ["apart", "{0.03 0.11}"] in said
    assert [line[1] for line in said if line[0] == "way"] == ["1 1", "2 0"]


def test_windows():
    """Those of two kinds of TCP flows are not mixed."""
    said = lines("--mss 988 --tcp 1:2", "--mss 460 --tcp 1:2", setup=networks.tcp_of_ns2())
    assert [line[1].split("{")[1] for line in said if line[0] == "tcp"] == [
        "window_ 66 }", "window_ 142 }"]


def test_packet():
    """dccperf's own is 1000 bytes of payload."""
    scenario = Scenario({"rate": "1mbit", "rtt": 100, "queue": 5}, [Flow("ns2")], [], 10)
    assert "\ntfrc 1 0 10 1036 0.0 " in ns2.script(scenario, 1)[0]


def test_tfrc():
    """20 packets/s of 1000 bytes; the loss history; ns-2's variables."""
    said = dict(lines(options=["-b", 20 * (1000 - HEADERS) * 8, "--qlen", 30]))
    assert said["tfrc"] == "1 1 100 1000 20000.0 30 128 {conservative_ 0}"


def test_tcp_of_linux():
    """ns-2's copy, with acknowledgments of SACK."""
    assert dict(lines("--tcp 20:30", flow="ns2-marc-linux"))["tcp"].startswith(
        "2 Linux TCPSink/Sack1 20.0 ")


def test_variables_of_tcp():
    """They are not those of TFRC."""
    said = dict(lines("--tcp 20:30", flow="ns2-marc-rto1"))
    assert said["tcp"].endswith(" 960 2 0 {rtxcur_init_ 1}")
    assert said["tfrc"].endswith("{conservative_ 1}")


def test_tcp_as_networks_has_it():
    """Two segments at first, each acknowledged, SACK; or NewReno, without SACK."""
    assert ["tcp", "2 Sack1 TCPSink/Sack1 20.0 50.0 960 2 0 {}"] in lines("--tcp 20:30")
    for every, sink in (True, "TCPSink"), (False, "TCPSink/DelAck"):
        assert ["tcp", f"2 Newreno {sink} 20.0 50.0 988 2 0 {{window_ 66 }}"] in lines(
            "--mss 988 --tcp 20:30", setup=networks.tcp_of_ns2(every=every))


def test_crowd_and_udp():
    """Two flows in 5 s; a UDP flow of ten packets/s for a second."""
    said = [line for line in lines("--crowd 2", "--cbr 3:1:10000") if line[0] in ("tcp", "udp")]
    assert said[0] == ["tcp", "2 Sack1 TCPSink/Sack1 50.0 100 960 2 8532 {}"]
    assert said[1] == ["tcp", "3 Sack1 TCPSink/Sack1 52.5 100 960 2 8532 {}"]
    assert said[2][1].startswith("4 1000 {3.000000 3.100000 ") and said[2][1].count(".") == 10


def test_begin():
    """All that lab/traffic sends is later by that."""
    what = "--seed 3 --tcp 1:2 --crowd 1 --udp 1 --duration 30 --cbr 3:1:10000"
    sent = {"tcp": [], "udp": []}
    for begin in 0, 15:
        for name, *rest in lines(f"{what} --begin {begin}"):
            if name in sent:
                sent[name].append(rest[0])
    tcp, crowd = ([line.split() for line in sent["tcp"][k::2]] for k in (0, 1))
    assert [t[3:5] for t in tcp] == [["1.0", "3.0"], ["16.0", "18.0"]]
    assert [c[3] for c in crowd] == ["50.0", "65.0"]
    for udp in sent["udp"][0::2], sent["udp"][1::2]:
        at, later = (float(u.split("{")[1].split()[0].rstrip("}")) for u in udp)
        assert later - at == pytest.approx(15, abs=1e-5)


@pytest.mark.parametrize("what", [
    lambda: lines("--web 3"), lambda: lines(options=["--layers", "80K,160K"]),
    lambda: lines(setup=networks.own_way(70)), lambda: lines(setup=[("", "topology loss 100")]),
    lambda: lines(setup=networks.apart() + [("r2", "tc qdisc add dev right parent 1:1 handle 11: "
                                             "netem limit 10 delay 3ms loss 5%")]),
    lambda: lines(setup=networks.apart(), events=[(1, "", "topology loss 100")]),
    lambda: lines(events=[(1, "", "topology down")])])
def test_what_it_does_not_have_is_refused(what):
    """Nothing is left out in silence."""
    with pytest.raises(ValueError, match="ns-2 has"):
        what()


def test_loss():
    """That of lab/topology."""
    assert ["periodic_loss", "1 100"] in lines(events=[(1, "", "topology loss 100")])


def test_packets(tmp_path):
    """One passes and arrives, one is dropped in the queue, one behind it; an acknowledgment."""
    said = """+ 1 1 2 tfrc 1000 ------- 1 0.0 3.0 0 5
- 1 1 2 tfrc 1000 ------- 1 0.0 3.0 0 5
+ 1.1 1 2 tcp 1000 ------- 2 0.1 3.1 4 6
d 1.1 1 2 tcp 1000 ------- 2 0.1 3.1 4 6
+ 1.2 1 2 tcp 40 ------- 2 0.1 3.1 0 7
r 1.5 1 2 tfrc 1000 ------- 1 0.0 3.0 0 5
+ 1.5 2 3 tfrc 1000 ------- 1 0.0 3.0 0 5
r 1.6 1 2 tcp 40 ------- 2 0.1 3.1 0 7
d 1.6 2 3 tcp 40 ------- 2 0.1 3.1 0 7
r 2 2 3 tfrc 1000 ------- 1 0.0 3.0 0 5
+ 2.5 2 1 ack 40 ------- 2 3.1 0.1 4 8
"""
    path = os.path.join(tmp_path, "packets.tr")
    with open(path, "w", encoding="ascii") as file:
        file.write(said)
    packets, back = ns2.table(path, [("media", 964), ("tcp", 960)])
    assert list(packets["sent"]) == [1, 1.1, 1.2]
    assert list(packets["name"]) == ["media", "tcp", "tcp"]
    assert packets["passed"].fillna(0).tolist() == [1.5, 0, 1.6]
    assert packets["arrived"].fillna(0).tolist() == [2, 0, 0]
    assert list(packets["payload"]) == [964, 960, 0]
    assert list(packets["seq"]) == [0, 4 * 960, 0]
    assert back.to_dict("records") == [{"sent": 2.5, "name": "tcp", "flow": 2, "size": 40}]
    run = metrics.Run(packets, back, (0, 10))
    assert metrics.loss("tcp")(run) == 50 and metrics.loss("tcp", "arrived")(run) == 100


def test_traces(tmp_path):
    """X of two flows in bit/s, less 36 bytes of each packet; p of the first, as last said."""
    with open(os.path.join(tmp_path, "rates.txt"), "w", encoding="ascii") as file:
        file.write("0 100 200\n1 100 250\n2 150 300\n")
    said = "time: 0.50000 loss_rate: 0.01000 \ntime: 0.50000 sample 0:     3 loss_rate: 0.01 \n" \
        "time: 1.50000 loss_rate: 0.02000 \n"
    one, two = ns2.traces(tmp_path, said, [1000, 400])
    assert list(one["x"]) == [771.2, 771.2, 1156.8] and list(two["x"]) == [1456, 1820, 2184]
    assert list(one["p"]) == [0, 0.01, 0.02] and two["p"].isna().all()


def test_simulated():
    """By the flows; guests and ns-2 do not mix."""
    def of(*kinds):
        return Scenario({}, [Flow(kind) for kind in kinds])
    assert ns2.simulated(of("ns2")) and not ns2.simulated(of("tfrc")) and not ns2.simulated(of())
    with pytest.raises(ValueError, match="in one scenario"):
        ns2.simulated(of("ns2", "tfrc"))


def test_mean_of_what_is_known():
    """p is that of the first flow only."""
    frame = pd.DataFrame({"time": [1.0], "p": [math.nan]})
    run = metrics.Run(pd.DataFrame(), None, (0, 2), traces=[frame.assign(p=0.5), frame])
    assert metrics.trace("p")(run) == 0.5
