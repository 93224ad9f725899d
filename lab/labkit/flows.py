# SPDX-License-Identifier: GPL-2.0-only
"""The media flows that experiments compare: a name for each configuration of dccperf."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Kind:
    """A configuration: how tables and figures call it, and how dccperf is asked for it."""
    label: str
    color: str
    ccid: str               # what both ends negotiate
    parameters: dict = dataclasses.field(default_factory=dict)     # KEY=VALUE of --CCID

    def options(self, **more):
        """Of the client; what is given here comes last and so takes precedence."""
        values = ",".join(f"{k}={v}" for k, v in {**self.parameters, **more}.items())
        return ["-C", self.ccid, *([f"--{self.ccid}", values] if values else [])]


BLUE, ORANGE, GREEN, PURPLE, RED, GREY, TEAL, GOLD = (
    "#1b6ca8", "#d1701c", "#4c9a52", "#9467bd", "#b0413e", "#7a7a7a", "#17a2b8", "#c69c3a")

KINDS = {
    "ccid2": Kind("CCID 2", GREY, "ccid2"),
    "ccid3": Kind("CCID 3", GREY, "ccid3"),
    # TFRC is MARC without tokens, with RFC 5348's rules.
    "tfrc": Kind("TFRC", ORANGE, "marc", {"preset": "tfrc"}),
    "tfrc-marc": Kind("TFRC, MARC's self-clocking", ORANGE, "marc",
                      {"preset": "paper", "tokens": 0}),
    "tfrc-norecovery": Kind("TFRC, no recovery point", GOLD, "marc",
                            {"preset": "tfrc", "recovery": 0}),
    "marc": Kind("MARC", BLUE, "marc"),
    "marc-paper": Kind("MARC, paper", TEAL, "marc", {"preset": "paper"}),
    "raar": Kind("RAAR", PURPLE, "raar"),
    "raar-paper": Kind("RAAR, paper", GOLD, "raar", {"preset": "paper"}),
    "ltfrc": Kind("L-TFRC", GREEN, "ltfrc"),
    "ltfrc-paper": Kind("L-TFRC, paper", TEAL, "ltfrc", {"preset": "paper"}),
    # The equation alone decides: without a target for the delay of the queue
    "ltfrc8": Kind("L-TFRC, k = 8, not bounded", BLUE, "ltfrc",
                   {"k": 8, "bounded": 0, "target_delay": 0}),
    "ltfrc11": Kind("L-TFRC, k = 11", GREEN, "ltfrc", {"k": 11, "weight": 2, "target_delay": 0}),
    "ltfrc15": Kind("L-TFRC, k = 15", PURPLE, "ltfrc", {"k": 15, "bounded": 0, "target_delay": 0}),
    "marc-interactive": Kind("MARC, interactive", TEAL, "marc", {"preset": "interactive"}),
    "ltfrc-interactive": Kind("L-TFRC, interactive", TEAL, "ltfrc", {"preset": "interactive"}),
    "dvrc": Kind("DVRC", RED, "dvrc"),
    "dvrc-paper": Kind("DVRC, paper", GOLD, "dvrc", {"preset": "paper"}),
    "ctfaf": Kind("CTFAF", BLUE, "ctfaf"),
    "ctfaf-paper": Kind("CTFAF, paper", TEAL, "ctfaf", {"preset": "paper"}),
    # Simulated (labkit/ns2.py): what ends in _ is a variable of its Agent/TFRC
    "ns2": Kind("TFRC of ns-2", GREY, "ns2", {"conservative_": 0}),
    "ns2-marc": Kind("TFRC of ns-2, MARC's self-clocking", GOLD, "ns2", {"conservative_": 1}),
    # wait is of its RED, tcp its TCP, tcp: of its TCP, whose first timeout is else after 3 s
    "ns2-random": Kind("TFRC of ns-2, TCP waits up to 2 ms", TEAL, "ns2",
                       {"conservative_": 0, "tcp:overhead_": 0.002}),
    "ns2-linux-red": Kind("TFRC of ns-2, RED that does not wait", RED, "ns2",
                          {"conservative_": 0, "wait": "false"}),
    "ns2-timeout": Kind("TFRC of ns-2, t_RTO of 0.4 s", BLUE, "ns2",
                        {"conservative_": 0, "minrto_": 0.4}),
    "ns2-smooth": Kind("TFRC of ns-2, no correction by the last RTT", PURPLE, "ns2",
                       {"conservative_": 0, "ca_": 0}),
    "ns2-marc-linux": Kind("TFRC of ns-2, MARC's self-clocking, all three of Linux", BLUE, "ns2", {
        "conservative_": 1, "wait": "false", "tcp": "Linux", "tcp:rtxcur_init_": 1}),
    "ns2-marc-linux-tcp": Kind("TFRC of ns-2, MARC's self-clocking, TCP of Linux 2.6", GREEN, "ns2",
                               {"conservative_": 1, "tcp": "Linux"}),
    "ns2-marc-rto1": Kind("TFRC of ns-2, MARC's self-clocking, TCP's first timeout after 1 s",
                          PURPLE, "ns2", {"conservative_": 1, "tcp:rtxcur_init_": 1}),
    "ns2-marc-linux-red": Kind("TFRC of ns-2, MARC's self-clocking, RED that does not wait", TEAL,
                               "ns2", {"conservative_": 1, "wait": "false"}),
    # Media over TCP (lab/media)
    "cubic": Kind("TCP Cubic", GOLD, "cubic"),
    "bbr": Kind("TCP BBR", TEAL, "bbr"),
    # lab/traffic send --count-as media, and --rtcp
    "westwood": Kind("TCP Westwood+", TEAL, "westwood"),
    "rtcp": Kind("RTCP over UDP", GREY, "udp"),
}
# What else is drawn
COLORS = {"tcp": GREEN, "udp": PURPLE, "crowd": GOLD, "web": GREY}


def label(name):
    """As a reader knows it."""
    others = {"tcp": "TCP Reno", "reno": "TCP Reno"}
    return KINDS[name].label if name in KINDS else others.get(name, str(name))


def color(name):
    """In figures."""
    return KINDS[name].color if name in KINDS else COLORS.get(name, "#333333")
