# SPDX-License-Identifier: GPL-2.0-only
"""Constants and structures of <linux/dccp.h> and <linux/dccp_ccid.h>.

Made by python/uapi_gen.py: do not edit.
"""
import ctypes
import enum

from .structure import Structure

DCCP_SCM_PRIORITY = 1
DCCPQ_POLICY_SIMPLE = 0
DCCPQ_POLICY_PRIO = 1
DCCP_SOCKOPT_PACKET_SIZE = 1
DCCP_SOCKOPT_SERVICE = 2
DCCP_SOCKOPT_CHANGE_L = 3
DCCP_SOCKOPT_CHANGE_R = 4
DCCP_SOCKOPT_GET_CUR_MPS = 5
DCCP_SOCKOPT_SERVER_TIMEWAIT = 6
DCCP_SOCKOPT_SEND_CSCOV = 10
DCCP_SOCKOPT_RECV_CSCOV = 11
DCCP_SOCKOPT_AVAILABLE_CCIDS = 12
DCCP_SOCKOPT_CCID = 13
DCCP_SOCKOPT_TX_CCID = 14
DCCP_SOCKOPT_RX_CCID = 15
DCCP_SOCKOPT_QPOLICY_ID = 16
DCCP_SOCKOPT_QPOLICY_TXQLEN = 17
DCCP_SOCKOPT_CCID_RX_INFO = 128
DCCP_SOCKOPT_CCID_TX_INFO = 192
DCCP_SERVICE_LIST_MAX_LEN = 32
DCCP_SOCKOPT_ENCAP_PORT = 36
DCCP_SOCKOPT_CCID_RX_PRESET = 129
DCCP_SOCKOPT_CCID_TX_PRESET = 193
DCCP_CCID_PRESET_LEN = 16
DCCP_SOCKOPT_MARC_RX = 136
DCCP_SOCKOPT_RAAR_RX = 144
DCCP_SOCKOPT_LTFRC_RX = 152
DCCP_SOCKOPT_DVRC_RX = 160
DCCP_SOCKOPT_DVRC_RX_LAYERS = 161
DCCP_SOCKOPT_CTFAF_RX = 168
DCCP_SOCKOPT_MARC_TX = 200
DCCP_SOCKOPT_RAAR_TX = 208
DCCP_SOCKOPT_LTFRC_TX = 216
DCCP_SOCKOPT_DVRC_TX_LAYERS = 224
DCCP_SOCKOPT_DVRC_K = 225
DCCP_SOCKOPT_DVRC_TX = 226
DCCP_SOCKOPT_CTFAF_TX = 232
DCCP_SOCKOPT_CTFAF_TX_RUNGS = 233
DCCP_CCID_TX_SLOW_START = 1
DCCP_CCID_TX_APP_LIMITED = 2
DCCP_CCID_TX_ECN = 4
DCCP_CCID_TX_L4S = 8
DCCP_LTFRC_ONE = 65536
DCCP_DVRC_LAYERS_MAX = 16


class Ccid(enum.IntEnum):
    """The CCIDs that have names."""
    CCID2 = 2
    CCID3 = 3
    MARC = 248
    RAAR = 249
    LTFRC = 250
    DVRC = 251
    CTFAF = 252


class MarcDecision(enum.IntEnum):
    """What MARC made of TFRC's rate."""
    TFRC = 0  # took TFRC's rate
    KEEP = 1  # no congestion signal: kept the previous rate
    LIMIT = 2  # signal: reduced the previous rate by delta
    LAND = 3  # either, but no more than the tokens last for


class MarcDecay(enum.IntEnum):
    """How MARC's tokens decay."""
    REPORT = 0  # by beta for each feedback, as in eq. 4
    TIME = 1  # by beta for each round-trip time


class TfrcClock(enum.IntEnum):
    """How the receive rate limits the sender (self-clocking)."""
    PAPER = 0  # X_recv after a loss event, else 1.5 X_recv
    RFC5348 = 1  # RFC 5348, 4.3: 2 max(X_recv_set)
    RESTART = 2  # as PAPER, or the initial rate if data limits


class LtfrcClass(enum.IntEnum):
    """Classes of fairness of L-TFRC: the factor k of its equation."""
    POLYNOMIAL = 0  # no class: coefficients are given
    TCP_FRIENDLY = 8
    BOUNDED_FRIENDLY = 11
    STREAMING_ORIENTED = 15


class CtfafDecision(enum.IntEnum):
    """What CTFAF's constraints made of the change that its algorithm asked for."""
    START = 0  # no report so far
    TOLERATED = 1  # decrease: l is less than l_allowed
    AT_MIN = 2  # decrease: no further than r_min
    CREDIT = 3  # decrease: B > 0, so not taken
    DECREASE_DELTA = 4  # decrease: by no more than delta
    REPAY = 5  # decrease: B < 0, so by delta
    DECREASE = 6  # decrease: as asked for
    AT_MAX = 7  # increase: no further than r_max
    RESTRAINT = 8  # increase: B < 0, so not taken
    INCREASE_DELTA = 9  # increase: by no more than delta
    INCREASE = 10  # increase: as asked for
    UNUSED = 11  # increase: less than half of X is used
    NOFEEDBACK = 12  # no report for 3 T: halved


class CtfafAlgorithm(enum.IntEnum):
    """The algorithm that asks for an increase or a decrease."""
    LDA = 0  # LDA+
    TFRC = 1  # TFRC's throughput equation


class DvrcDecision(enum.IntEnum):
    """What DVRC's receiver did last."""
    START = 0  # nothing so far
    INCREASE = 1  # a round trip without loss
    RANDOM = 2  # loss, taken for random: additive decrease
    CONGESTION = 3  # loss, taken for congestion: multiplicative
    TIMEOUT = 4  # nothing arrived for DTO: multiplicative


class MarcTxState(Structure):
    """State of MARC, in CcidTxInfo."""
    MEANINGS = {
        "tokens": "token value T, bytes",
        "x_tfrc": "rate that TFRC would have moved to, bytes/s",
        "decision": "last decision, MarcDecision",
        "left":
            "how long the tokens last if the equation's rate and the rate sent stay as they "
            "are, ms; 0: there are none; 0xffffffff: no more is sent than the equation allows",
        "kept": "how often the decision was DCCP_MARC_KEEP",
        "limited": "how often it was DCCP_MARC_LIMIT",
        "landed": "how often it was DCCP_MARC_LAND",
    }
    tokens: int
    x_tfrc: int
    decision: int
    left: int
    kept: int
    limited: int
    landed: int
    reserved: int
    _fields_ = [
        ("tokens", ctypes.c_int64),
        ("x_tfrc", ctypes.c_uint64),
        ("decision", ctypes.c_uint32),
        ("left", ctypes.c_uint32),
        ("kept", ctypes.c_uint32),
        ("limited", ctypes.c_uint32),
        ("landed", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


class RaarTxState(Structure):
    """State of RAAR, in CcidTxInfo."""
    MEANINGS = {
        "requested":
            "rate that the receiver requested, bytes/s; x is also limited to twice what is "
            "delivered",
        "rto": "receiver's timeout in force, us",
        "round": "low byte of the number of the report that began the round",
    }
    requested: int
    rto: int
    round: int
    _fields_ = [
        ("requested", ctypes.c_uint64),
        ("rto", ctypes.c_uint32),
        ("round", ctypes.c_uint32),
    ]


class LtfrcTxState(Structure):
    """State of L-TFRC, in CcidTxInfo."""
    MEANINGS = {
        "a": "coefficients a_0 to a_3 in force, times DCCP_LTFRC_ONE",
        "x_tcp": "rate of Padhye's equation, which TFRC has, bytes/s (0 while p = 0)",
        "k": "LtfrcClass",
        "bounded": "x_calc is limited to weight times x_tcp",
    }
    a: ctypes.Array[ctypes.c_int32]
    x_tcp: int
    k: int
    bounded: int
    _fields_ = [
        ("a", ctypes.c_int32 * 4),
        ("x_tcp", ctypes.c_uint64),
        ("k", ctypes.c_uint32),
        ("bounded", ctypes.c_uint32),
    ]


class DvrcTxState(Structure):
    """State of DVRC, in CcidTxInfo."""
    MEANINGS = {
        "requested":
            "rate R that the receiver requested, bytes/s; x is also limited to twice what is "
            "delivered",
        "kept_back": "packets of layers above K that were not sent",
        "k": "number K of layers that may be sent (0: no layers)",
        "layers": "number of layers that were set",
        "deviation": "of the round-trip time, us",
        "dto": "receiver's timeout in force, us",
    }
    requested: int
    kept_back: int
    k: int
    layers: int
    deviation: int
    dto: int
    _fields_ = [
        ("requested", ctypes.c_uint64),
        ("kept_back", ctypes.c_uint64),
        ("k", ctypes.c_uint32),
        ("layers", ctypes.c_uint32),
        ("deviation", ctypes.c_uint32),
        ("dto", ctypes.c_uint32),
    ]


class CtfafTxState(Structure):
    """State of CTFAF, in CcidTxInfo."""
    MEANINGS = {
        "rate": "the constrained rate r, bytes/s; x is r on the grid of steps",
        "virtual_bandwidth":
            "B, bytes/s; negative: the sender took more than the algorithm allowed",
        "asked": "increase (or, negative, decrease) that the algorithm asked for last, bytes/s",
        "increase": "additive increase rate A of LDA+, bytes/s",
        "bottleneck": "bandwidth R_b by packet pairs, bytes/s (0: no estimate)",
        "loss": "share of the packets lost until the last decision, times 2^32",
        "interval": "report interval T in force, ms",
        "decision": "last decision, CtfafDecision",
        "resets": "how often B was reset",
        "steps": "number of reports that led to a decision",
    }
    rate: int
    virtual_bandwidth: int
    asked: int
    increase: int
    bottleneck: int
    loss: int
    interval: int
    decision: int
    resets: int
    steps: int
    reserved: int
    _fields_ = [
        ("rate", ctypes.c_uint64),
        ("virtual_bandwidth", ctypes.c_int64),
        ("asked", ctypes.c_int64),
        ("increase", ctypes.c_uint64),
        ("bottleneck", ctypes.c_uint64),
        ("loss", ctypes.c_uint32),
        ("interval", ctypes.c_uint32),
        ("decision", ctypes.c_uint32),
        ("resets", ctypes.c_uint32),
        ("steps", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


class TxSchemes(ctypes.Union):
    _fields_ = [
        ("marc", MarcTxState),
        ("raar", RaarTxState),
        ("ltfrc", LtfrcTxState),
        ("dvrc", DvrcTxState),
        ("ctfaf", CtfafTxState),
        ("reserved", ctypes.c_uint64 * 16),
    ]


class CcidTxInfo(Structure):
    """struct dccp_ccid_tx_info, of DCCP_SOCKOPT_CCID_TX_INFO of a TFRC-like sender"""
    OPTION = DCCP_SOCKOPT_CCID_TX_INFO
    MEANINGS = {
        "tfrctx_x": "allowed rate X, in 1/64 byte/s",
        "tfrctx_x_recv": "receive rate last reported, in 1/64 byte/s",
        "tfrctx_x_calc": "rate of the throughput equation, bytes/s (0 while p = 0)",
        "tfrctx_rtt": "smoothed round-trip time R, us",
        "tfrctx_p": "loss event rate p, in 10^-6",
        "tfrctx_rto": "nofeedback timeout, us",
        "tfrctx_ipi": "nominal spacing of packets, us",
        "ccid": "number of the CCID that fills this in",
        "flags":
            "sum of DCCP_CCID_TX_SLOW_START (1: no loss event seen yet), "
            "DCCP_CCID_TX_APP_LIMITED (2: X was not used in full), DCCP_CCID_TX_ECN (4: data "
            "packets carry ECT(0) or ECT(1)) and DCCP_CCID_TX_L4S (8: it is ECT(1))",
        "x": "allowed rate X, bytes/s",
        "x_inst":
            "rate at which packets are sent now, bytes/s. It is less than x while a queue "
            "builds up (RFC 5348, 4.5) or is longer than target_delay. Packets that wait when "
            "target_delay lowers it leave as before, for up to 100 ms. A live source sends no "
            "more than the lesser of both.",
        "x_calc": "rate of the throughput equation, bytes/s (0 while p = 0)",
        "x_recv": "receive rate last reported, bytes/s",
        "x_send": "rate really sent over the last feedback interval, bytes/s",
        "p_ppb": "loss event rate p, in 10^-9",
        "rtt_ns": "smoothed round-trip time R, ns",
        "packets_sent": "data packets sent",
        "packets_lost": "data packets that the receiver reported lost",
        "packets_marked": "data packets that the receiver reported CE-marked",
        "feedbacks": "feedback packets that were used",
        "nofeedbacks": "how often the nofeedback timer expired",
        "mean_size": "mean packet size s, bytes",
        "seq_window": "Sequence Window in force (RFC 4340, 7.5.2)",
    }
    tfrctx_x: int
    tfrctx_x_recv: int
    tfrctx_x_calc: int
    tfrctx_rtt: int
    tfrctx_p: int
    tfrctx_rto: int
    tfrctx_ipi: int
    ccid: int
    flags: int
    x: int
    x_inst: int
    x_calc: int
    x_recv: int
    x_send: int
    p_ppb: int
    rtt_ns: int
    packets_sent: int
    packets_lost: int
    packets_marked: int
    feedbacks: int
    nofeedbacks: int
    mean_size: int
    reserved0: int
    seq_window: int
    schemes: TxSchemes
    marc: MarcTxState
    raar: RaarTxState
    ltfrc: LtfrcTxState
    dvrc: DvrcTxState
    ctfaf: CtfafTxState
    _anonymous_ = ("schemes",)
    _fields_ = [
        ("tfrctx_x", ctypes.c_uint64),
        ("tfrctx_x_recv", ctypes.c_uint64),
        ("tfrctx_x_calc", ctypes.c_uint32),
        ("tfrctx_rtt", ctypes.c_uint32),
        ("tfrctx_p", ctypes.c_uint32),
        ("tfrctx_rto", ctypes.c_uint32),
        ("tfrctx_ipi", ctypes.c_uint32),
        ("ccid", ctypes.c_uint16),
        ("flags", ctypes.c_uint16),
        ("x", ctypes.c_uint64),
        ("x_inst", ctypes.c_uint64),
        ("x_calc", ctypes.c_uint64),
        ("x_recv", ctypes.c_uint64),
        ("x_send", ctypes.c_uint64),
        ("p_ppb", ctypes.c_uint64),
        ("rtt_ns", ctypes.c_uint64),
        ("packets_sent", ctypes.c_uint64),
        ("packets_lost", ctypes.c_uint64),
        ("packets_marked", ctypes.c_uint64),
        ("feedbacks", ctypes.c_uint32),
        ("nofeedbacks", ctypes.c_uint32),
        ("mean_size", ctypes.c_uint32),
        ("reserved0", ctypes.c_uint32),
        ("seq_window", ctypes.c_uint64),
        ("schemes", TxSchemes),
    ]


class RaarRxState(Structure):
    """State of RAAR, in CcidRxInfo."""
    MEANINGS = {
        "rate": "rate by GAIMD, bytes/s",
        "requested": "smoothed rate that was reported last, bytes/s",
        "stated": "rate that the sender last said to keep to, bytes/s",
        "alpha": "increase for each round in packets, in 10^-6, before delta",
        "rttvar": "mean deviation of the round-trip time, us",
        "rto": "timeout, us",
        "wnd": "packets in the last round",
        "round": "number of the report that began this round",
        "rounds": "rounds so far",
        "samples": "rounds in which a round-trip time was measured",
        "slow_start": "no loss event yet",
    }
    rate: int
    requested: int
    stated: int
    alpha: int
    rttvar: int
    rto: int
    wnd: int
    round: int
    rounds: int
    samples: int
    slow_start: int
    _fields_ = [
        ("rate", ctypes.c_uint64),
        ("requested", ctypes.c_uint64),
        ("stated", ctypes.c_uint64),
        ("alpha", ctypes.c_uint32),
        ("rttvar", ctypes.c_uint32),
        ("rto", ctypes.c_uint32),
        ("wnd", ctypes.c_uint32),
        ("round", ctypes.c_uint32),
        ("rounds", ctypes.c_uint32),
        ("samples", ctypes.c_uint32),
        ("slow_start", ctypes.c_uint32),
    ]


class DvrcRxState(Structure):
    """State of DVRC, in CcidRxInfo."""
    MEANINGS = {
        "rate": "rate R, bytes/s",
        "receiving": "receiving rate at the last loss event, bytes/s",
        "mean": "moving average of the receiving rate at the ends of the epochs, bytes/s",
        "deviation": "average deviation of it, bytes/s",
        "k": "number K of layers that fit in R (0: no layers)",
        "layers": "number of layers",
        "random": "loss events that were taken for random",
        "congestion": "loss events that were taken for congestion",
        "timeouts": "how often nothing arrived for DTO",
        "decision": "last decision, DvrcDecision",
        "dto": "DTO, us",
    }
    rate: int
    receiving: int
    mean: int
    deviation: int
    k: int
    layers: int
    random: int
    congestion: int
    timeouts: int
    decision: int
    dto: int
    reserved: int
    _fields_ = [
        ("rate", ctypes.c_uint64),
        ("receiving", ctypes.c_uint64),
        ("mean", ctypes.c_uint64),
        ("deviation", ctypes.c_uint64),
        ("k", ctypes.c_uint32),
        ("layers", ctypes.c_uint32),
        ("random", ctypes.c_uint32),
        ("congestion", ctypes.c_uint32),
        ("timeouts", ctypes.c_uint32),
        ("decision", ctypes.c_uint32),
        ("dto", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


class RxSchemes(ctypes.Union):
    _fields_ = [
        ("raar", RaarRxState),
        ("dvrc", DvrcRxState),
        ("reserved", ctypes.c_uint64 * 16),
    ]


class CcidRxInfo(Structure):
    """struct dccp_ccid_rx_info, of DCCP_SOCKOPT_CCID_RX_INFO of a TFRC receiver"""
    OPTION = DCCP_SOCKOPT_CCID_RX_INFO
    MEANINGS = {
        "tfrcrx_x_recv": "receive rate, bytes/s",
        "tfrcrx_rtt": "round-trip time as the receiver knows it, us",
        "tfrcrx_p": "loss event rate p, in 10^-6",
        "ccid": "number of the CCID that fills this in",
        "loss_history": "number n of loss intervals that p is averaged over, 0 with RAAR",
        "x_recv": "receive rate, bytes/s",
        "p_ppb": "loss event rate p, in 10^-9; 0 with RAAR, which has none",
        "packets_received": "data packets received",
        "packets_lost": "data packets lost",
        "packets_marked": "data packets received with a CE mark",
        "loss_events": "loss events, marks included",
        "feedbacks": "feedback packets sent",
    }
    tfrcrx_x_recv: int
    tfrcrx_rtt: int
    tfrcrx_p: int
    ccid: int
    loss_history: int
    x_recv: int
    p_ppb: int
    packets_received: int
    packets_lost: int
    packets_marked: int
    loss_events: int
    feedbacks: int
    schemes: RxSchemes
    raar: RaarRxState
    dvrc: DvrcRxState
    _anonymous_ = ("schemes",)
    _fields_ = [
        ("tfrcrx_x_recv", ctypes.c_uint32),
        ("tfrcrx_rtt", ctypes.c_uint32),
        ("tfrcrx_p", ctypes.c_uint32),
        ("ccid", ctypes.c_uint16),
        ("loss_history", ctypes.c_uint16),
        ("x_recv", ctypes.c_uint64),
        ("p_ppb", ctypes.c_uint64),
        ("packets_received", ctypes.c_uint64),
        ("packets_lost", ctypes.c_uint64),
        ("packets_marked", ctypes.c_uint64),
        ("loss_events", ctypes.c_uint64),
        ("feedbacks", ctypes.c_uint64),
        ("schemes", RxSchemes),
    ]


class MarcTxParams(Structure):
    """struct dccp_marc_tx_params, of DCCP_SOCKOPT_MARC_TX: the sender's parameters"""
    OPTION = DCCP_SOCKOPT_MARC_TX
    MEANINGS = {
        "beta": "decay of the token value, in 10^-3 (0 to 1000)",
        "delta_loss": "largest decrease for each feedback after a loss, in 10^-3 (1 to 999)",
        "delta_mark": "the same when all signals are CE marks, in 10^-3 (1 to 999)",
        "tokens": "1: MARC; 0: the token value is held at 0, which is plain TFRC",
        "clock": "TfrcClock",
        "decay": "MarcDecay",
        "lag":
            "1: if less arrives than is sent, this is a congestion signal, too; 0: as in the "
            "paper",
        "target_delay": "delay of the queue to aim at, ms (5 to 1000); 0: no such limit",
        "landing":
            "X is above TFRC's rate by no more than the tokens last for in so many round trips "
            "(1 to 1000); 0: no such limit",
        "warning": "poll() reports POLLPRI when the tokens last for less than this, ms; 0: never",
        "nominal_size":
            "packet size of the equation, bytes (1 to 1460, 1460 is recommended for small "
            "packets; RFC 4828); 0: the mean size of the packets",
        "frame_rate":
            "the packets of a frame are spread over the time to the next one, frames/s (1 to "
            "1000); 0: they are not",
        "l4s":
            "1: respond to ECN marks in proportion to their number (ECT(1), RFC 9331), if the "
            "receiver takes part; 0: a mark is like a loss",
    }
    beta: int
    delta_loss: int
    delta_mark: int
    tokens: int
    clock: int
    decay: int
    lag: int
    target_delay: int
    landing: int
    warning: int
    nominal_size: int
    frame_rate: int
    l4s: int
    reserved: int
    _fields_ = [
        ("beta", ctypes.c_uint16),
        ("delta_loss", ctypes.c_uint16),
        ("delta_mark", ctypes.c_uint16),
        ("tokens", ctypes.c_uint8),
        ("clock", ctypes.c_uint8),
        ("decay", ctypes.c_uint8),
        ("lag", ctypes.c_uint8),
        ("target_delay", ctypes.c_uint16),
        ("landing", ctypes.c_uint16),
        ("warning", ctypes.c_uint16),
        ("nominal_size", ctypes.c_uint16),
        ("frame_rate", ctypes.c_uint16),
        ("l4s", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8),
    ]


class MarcRxParams(Structure):
    """struct dccp_marc_rx_params, of DCCP_SOCKOPT_MARC_RX: the receiver's parameters"""
    OPTION = DCCP_SOCKOPT_MARC_RX
    MEANINGS = {
        "loss_history": "n, the loss intervals that p is averaged over (2 to 255)",
        "recovery":
            "1: what is lost before the sender can react to a loss event belongs to that event; "
            "0: what is lost within R",
    }
    loss_history: int
    recovery: int
    reserved: ctypes.Array[ctypes.c_uint8]
    _fields_ = [
        ("loss_history", ctypes.c_uint32),
        ("recovery", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 3),
    ]


class RaarTxParams(Structure):
    """struct dccp_raar_tx_params, of DCCP_SOCKOPT_RAAR_TX: the sender's parameters"""
    OPTION = DCCP_SOCKOPT_RAAR_TX
    MEANINGS = {
        "beta":
            "factor by which the rate is multiplied when no report comes, in 10^-3 (1 to 999)",
        "target_delay": "delay of the queue to aim at, ms (5 to 1000); 0: no such limit",
        "frame_rate":
            "the packets of a frame are spread over the time to the next one, frames/s (1 to "
            "1000); 0: they are not",
        "l4s":
            "1: respond to ECN marks in proportion to their number (ECT(1), RFC 9331), if the "
            "receiver takes part; 0: a mark is like a loss",
    }
    beta: int
    target_delay: int
    frame_rate: int
    l4s: int
    reserved: int
    _fields_ = [
        ("beta", ctypes.c_uint16),
        ("target_delay", ctypes.c_uint16),
        ("frame_rate", ctypes.c_uint16),
        ("l4s", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8),
    ]


class RaarRxParams(Structure):
    """struct dccp_raar_rx_params, of DCCP_SOCKOPT_RAAR_RX: the receiver's parameters"""
    OPTION = DCCP_SOCKOPT_RAAR_RX
    MEANINGS = {
        "beta":
            "factor by which the rate is multiplied at a loss event, in 10^-3 (1 to 999); the "
            "increase alpha follows from it",
        "delta": "share of alpha that is really used, in 10^-3 (1 to 1000)",
        "smoothing": "n, the number of rates whose mean is the smoothed rate (1 to 64)",
        "growth":
            "the rate does not grow above this times the receive rate, in 10^-3 (1000 to "
            "65535); 0: there is no such limit",
        "rate_max": "the rate does not grow above this, bytes/s; 0: no such limit",
        "early_once":
            "1: after an early report there is no other one until the first has taken effect; "
            "0: each packet may cause one, as long as CCVal can tell the reports apart",
        "wnd_max":
            "1: wnd is the number of packets in the last round or in this one, whichever is "
            "greater; 0: in the last round",
        "hole_events":
            "1: losses that last for several round trips are a loss event for each of them, up "
            "to five; 0: they are one if they are detected at once",
        "exit_guard":
            "1: the first loss event decreases a rate of no more than what was sent and "
            "received, and the smoothed rate starts anew; with R above 200 ms a rate below the "
            "initial rate grows by alpha in each R; 0: it is like any other",
        "per_rtt": "1: the rate grows by alpha @delta packets in a round trip; 0: in a round",
        "fast_down":
            "1: at a loss event within n reports of the last one the smoothed rate starts anew; "
            "0: it is the mean",
        "nominal_size":
            "packet size of the increase, bytes (1 to 1460, 1460 is recommended for small "
            "packets; RFC 4828); 0: the real size",
    }
    beta: int
    delta: int
    smoothing: int
    growth: int
    rate_max: int
    early_once: int
    wnd_max: int
    hole_events: int
    exit_guard: int
    per_rtt: int
    fast_down: int
    nominal_size: int
    _fields_ = [
        ("beta", ctypes.c_uint16),
        ("delta", ctypes.c_uint16),
        ("smoothing", ctypes.c_uint16),
        ("growth", ctypes.c_uint16),
        ("rate_max", ctypes.c_uint32),
        ("early_once", ctypes.c_uint8),
        ("wnd_max", ctypes.c_uint8),
        ("hole_events", ctypes.c_uint8),
        ("exit_guard", ctypes.c_uint8),
        ("per_rtt", ctypes.c_uint8),
        ("fast_down", ctypes.c_uint8),
        ("nominal_size", ctypes.c_uint16),
    ]


class LtfrcEquation(Structure):
    """struct dccp_ltfrc_equation, of DCCP_SOCKOPT_LTFRC_TX: the throughput equation"""
    OPTION = DCCP_SOCKOPT_LTFRC_TX
    MEANINGS = {
        "k": "LtfrcClass",
        "weight": "the bound is this times the rate of TFRC's equation, in 10^-3 (1 to 65535)",
        "bounded": "1: apply the bound; the bounded-friendly class always does",
        "l4s":
            "the sender's: 1: respond to ECN marks in proportion to their number (ECT(1), RFC "
            "9331), if the receiver takes part; 0: a mark is like a loss",
        "target_delay":
            "the sender's: delay of the queue to aim at, ms (5 to 1000); 0: no such limit",
        "a":
            "for DCCP_LTFRC_POLYNOMIAL, a_0 to a_3 times DCCP_LTFRC_ONE; else ignored. For p "
            "from 10^-9 to 1 the rate must not grow with p, and at 10^-9 it must not be 0.",
    }
    k: int
    weight: int
    bounded: int
    l4s: int
    target_delay: int
    a: ctypes.Array[ctypes.c_int32]
    _fields_ = [
        ("k", ctypes.c_uint16),
        ("weight", ctypes.c_uint16),
        ("bounded", ctypes.c_uint8),
        ("l4s", ctypes.c_uint8),
        ("target_delay", ctypes.c_uint16),
        ("a", ctypes.c_int32 * 4),
    ]


class LtfrcTxParams(Structure):
    """struct dccp_ltfrc_tx_params, of DCCP_SOCKOPT_LTFRC_TX: the sender's parameters"""
    OPTION = DCCP_SOCKOPT_LTFRC_TX
    MEANINGS = {
        "equation": "the throughput equation; the option takes it without the rest, too",
        "nominal_size":
            "packet size of the equation, bytes (1 to 1460, 1460 is recommended for small "
            "packets; RFC 4828); 0: the mean size of the packets",
        "frame_rate":
            "the packets of a frame are spread over the time to the next one, frames/s (1 to "
            "1000); 0: they are not",
    }
    equation: LtfrcEquation
    nominal_size: int
    frame_rate: int
    _fields_ = [
        ("equation", LtfrcEquation),
        ("nominal_size", ctypes.c_uint16),
        ("frame_rate", ctypes.c_uint16),
    ]


class LtfrcRxParams(Structure):
    """struct dccp_ltfrc_rx_params, of DCCP_SOCKOPT_LTFRC_RX: the receiver's parameters"""
    OPTION = DCCP_SOCKOPT_LTFRC_RX
    MEANINGS = {
        "loss_history": "loss intervals that p is averaged over (2 to 255)",
        "equation": "the sender's equation; the first loss interval follows from it",
        "recovery":
            "1: what is lost before the sender can react to a loss event belongs to that event; "
            "0: what is lost within R",
    }
    loss_history: int
    equation: LtfrcEquation
    recovery: int
    reserved: ctypes.Array[ctypes.c_uint8]
    _fields_ = [
        ("loss_history", ctypes.c_uint32),
        ("equation", LtfrcEquation),
        ("recovery", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 3),
    ]


class CtfafConstraints(Structure):
    """struct dccp_ctfaf_constraints, of DCCP_SOCKOPT_CTFAF_TX: the encoder's constraints"""
    OPTION = DCCP_SOCKOPT_CTFAF_TX
    MEANINGS = {
        "r_min": "least rate of the encoder, bytes/s (at least 1)",
        "r_max": "greatest rate of the encoder, bytes/s",
        "step": "S: rates are r_min + m * step, bytes/s (1 to r_max - r_min, and to 2 r_min)",
        "delta":
            "greatest change for each report interval, bytes/s (at least step); 0: no such "
            "limit",
        "r_start":
            "first rate, bytes/s (r_min to r_max); 0: 43800 (RFC 3390's initial window of 4380 "
            "bytes in 100 ms), or the nearer of r_min and r_max. The initial rate of the path "
            "is a further limit",
        "increase": "first value of the additive increase rate A, bytes/s (at least 1)",
        "l_allowed": "share of lost packets to tolerate, in 10^-6 (0 to 10^6)",
        "interval":
            "report interval T, ms (100 to 60000); never less than a round trip and the time of "
            "20 packets, of which 5 s count at most",
        "t_reset": "time from reset to reset of B, ms (interval to 3600000)",
        "t_init": "time from the start in which delta and B do not apply, ms (0 to 3600000)",
        "l_severe":
            "from this share of lost packets on a decrease has no tolerance, no delta and no "
            "credit in B, in 10^-6 (1 to 10^6; 10^6: they always hold)",
        "algorithm": "CtfafAlgorithm",
        "probes":
            "packets sent back to back after a report to measure the bottleneck (0, or 2 to 15)",
        "probe_every":
            "number of reports from one such train of packets to the next, once the bottleneck "
            "is known, and steady (at least 1)",
        "hold":
            "how long a packet may wait for the next one, so that the two are sent back to "
            "back, ms (0 to 100); four times as long while the bottleneck is unknown",
        "decay": "share of B that is forgotten at each report, in 10^-3 (0 to 1000)",
        "refuse":
            "1: a change that would pass r_min or r_max is not made at all; 0: the rate goes to "
            "r_min or r_max",
        "gentle": "1: a reset of B moves the rate by delta at each report; 0: at once",
        "climb":
            "1: after a loss, a rate below r_TCP rises to it by @increase at each report; 0: at "
            "once",
        "steady":
            "the bottleneck is steady when so many reports after trains have had the same "
            "bandwidth, within an eighth (0 to 100); 0: when it is known",
        "target_delay": "delay of the queue to aim at, ms (5 to 1000); 0: no such limit",
        "nominal_size":
            "packet size M of LDA+ and of the equation, bytes (1 to 1460, 1460 is recommended "
            "for small packets; RFC 4828); 0: the mean size of the packets",
        "frame_rate":
            "the packets of a frame are spread over the time to the next one, frames/s (1 to "
            "1000); 0: they are not",
    }
    r_min: int
    r_max: int
    step: int
    delta: int
    r_start: int
    increase: int
    l_allowed: int
    interval: int
    t_reset: int
    t_init: int
    l_severe: int
    algorithm: int
    probes: int
    probe_every: int
    hold: int
    decay: int
    refuse: int
    gentle: int
    climb: int
    steady: int
    target_delay: int
    nominal_size: int
    frame_rate: int
    _fields_ = [
        ("r_min", ctypes.c_uint32),
        ("r_max", ctypes.c_uint32),
        ("step", ctypes.c_uint32),
        ("delta", ctypes.c_uint32),
        ("r_start", ctypes.c_uint32),
        ("increase", ctypes.c_uint32),
        ("l_allowed", ctypes.c_uint32),
        ("interval", ctypes.c_uint32),
        ("t_reset", ctypes.c_uint32),
        ("t_init", ctypes.c_uint32),
        ("l_severe", ctypes.c_uint32),
        ("algorithm", ctypes.c_uint8),
        ("probes", ctypes.c_uint8),
        ("probe_every", ctypes.c_uint8),
        ("hold", ctypes.c_uint8),
        ("decay", ctypes.c_uint16),
        ("refuse", ctypes.c_uint8),
        ("gentle", ctypes.c_uint8),
        ("climb", ctypes.c_uint8),
        ("steady", ctypes.c_uint8),
        ("target_delay", ctypes.c_uint16),
        ("nominal_size", ctypes.c_uint16),
        ("frame_rate", ctypes.c_uint16),
    ]


class CtfafRxParams(Structure):
    """struct dccp_ctfaf_rx_params, of DCCP_SOCKOPT_CTFAF_RX: the receiver's parameters"""
    OPTION = DCCP_SOCKOPT_CTFAF_RX
    MEANINGS = {
        "loss_history": "loss intervals that p is averaged over, for TFRC's equation (2 to 255)",
    }
    loss_history: int
    _fields_ = [
        ("loss_history", ctypes.c_uint32),
    ]


class DvrcTxParams(Structure):
    """struct dccp_dvrc_tx_params, of DCCP_SOCKOPT_DVRC_TX: the sender's parameters"""
    OPTION = DCCP_SOCKOPT_DVRC_TX
    MEANINGS = {
        "gamma": "weight of the smoothed round-trip time so far, in 10^-3 (0 to 999)",
        "epsilon": "weight of its deviation so far, in 10^-3 (0 to 999)",
        "slow_start":
            "1: the first rate is c_1, but no more than the initial rate, and layers are joined "
            "as the allowed rate grows; 0: the first rate is c_1, as far as the Sequence Window "
            "allows, and K is what the receiver says",
        "l4s":
            "1: respond to ECN marks in proportion to their number (ECT(1), RFC 9331), if the "
            "receiver takes part; 0: a mark is like a loss",
        "target_delay": "delay of the queue to aim at, ms (5 to 1000); 0: no such limit",
        "frame_rate":
            "the packets of a frame are spread over the time to the next one, frames/s (1 to "
            "1000); 0: they are not",
    }
    gamma: int
    epsilon: int
    slow_start: int
    l4s: int
    target_delay: int
    frame_rate: int
    _fields_ = [
        ("gamma", ctypes.c_uint16),
        ("epsilon", ctypes.c_uint16),
        ("slow_start", ctypes.c_uint8),
        ("l4s", ctypes.c_uint8),
        ("target_delay", ctypes.c_uint16),
        ("frame_rate", ctypes.c_uint16),
    ]


class DvrcRxParams(Structure):
    """struct dccp_dvrc_rx_params, of DCCP_SOCKOPT_DVRC_RX: the receiver's parameters"""
    OPTION = DCCP_SOCKOPT_DVRC_RX
    MEANINGS = {
        "alpha_i":
            "increase in a round trip without loss, packets in a round trip, in 10^-3 (1 to "
            "65535)",
        "alpha_d": "decrease at a random loss, likewise (1 to 65535)",
        "beta_d": "factor of the rate in congestion, in 10^-3 (1 to 999)",
        "n": "deviations below the mean from which on it is congestion, in 10^-3 (0 to 65535)",
        "weight":
            "without layers the rate is no more than this times that of TFRC's equation, in "
            "10^-3 (1 to 65535)",
        "ack_ratio": "data packets for each acknowledgment (1 to 255)",
        "loss_history": "loss intervals that p is averaged over, for the equation (2 to 255)",
        "weight_layers":
            "the same as @weight with layers, in 10^-3; 0: c_k alone bounds the rate",
        "delta": "weight of the round-trip time's deviation in DTO, in 10^-3",
        "gain_mean": "gain of the mean receiving rate, in 10^-3 (1 to 1000)",
        "gain_deviation": "gain of its deviation, in 10^-3 (1 to 1000)",
        "hold":
            "after the first loss event, how long a layer must have fit before it is joined, ms "
            "(0 to 60000)",
        "validation":
            "1: with layers, too, the rate grows only while at least half of it, or of c_K, "
            "arrives; with and without layers it is halved for each 2 DTO of a pause, down to "
            "the first rate or the initial rate",
        "nominal_size":
            "packet size of increase, decrease and the equation, bytes (1 to 1460, 1460 is "
            "recommended for small packets; RFC 4828); 0: the mean size of the packets",
    }
    alpha_i: int
    alpha_d: int
    beta_d: int
    n: int
    weight: int
    ack_ratio: int
    loss_history: int
    weight_layers: int
    delta: int
    gain_mean: int
    gain_deviation: int
    hold: int
    validation: int
    reserved: int
    nominal_size: int
    _fields_ = [
        ("alpha_i", ctypes.c_uint16),
        ("alpha_d", ctypes.c_uint16),
        ("beta_d", ctypes.c_uint16),
        ("n", ctypes.c_uint16),
        ("weight", ctypes.c_uint16),
        ("ack_ratio", ctypes.c_uint8),
        ("loss_history", ctypes.c_uint8),
        ("weight_layers", ctypes.c_uint16),
        ("delta", ctypes.c_uint16),
        ("gain_mean", ctypes.c_uint16),
        ("gain_deviation", ctypes.c_uint16),
        ("hold", ctypes.c_uint16),
        ("validation", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8),
        ("nominal_size", ctypes.c_uint16),
    ]
