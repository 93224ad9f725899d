# SPDX-License-Identifier: GPL-2.0-only
"""The structures of dccp_ccids.uapi in memory, as the C compiler has them."""
import ctypes
import os
import re
import subprocess

import pytest

from dccp_ccids import uapi
from dccp_ccids.structure import Structure

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STRUCTURES = [c for c in vars(uapi).values() if isinstance(c, type) and hasattr(c, "OPTION")]
OF_DCCP_H = "DCCP_SOCKOPT_CCID_TX_INFO", "DCCPQ_POLICY_PRIO", "DCCP_SCM_PRIORITY"


def c_name(structure):
    return "struct dccp_" + re.sub(r"(?<!^)([A-Z])", r"_\1", structure.__name__).lower()


def layout(structure, name, before="", at=0):
    """What C should find: offset and size of each member."""
    for member, kind, *_ in structure._fields_:
        here = at + getattr(structure, member).offset
        if member == "schemes":
            yield from layout(kind, name, before, here)
        else:
            yield f"offsetof({name}, {before}{member}) == {here}"
            yield f"sizeof((({name} *)0)->{before}{member}) == {ctypes.sizeof(kind)}"
            if issubclass(kind, Structure):
                yield from layout(kind, name, f"{before}{member}.", here)


def test_layout():
    assert len(STRUCTURES) == 13
    claims = []
    for structure in STRUCTURES:
        name = c_name(structure)
        claims += [f"sizeof({name}) == {ctypes.sizeof(structure)}", *layout(structure, name)]
    claims += [f"{name} == {value}" for name, value in vars(uapi).items()
               if name.startswith("DCCP")]
    claims += [f"DCCPC_{ccid.name} == {ccid}" for ccid in uapi.Ccid]
    assert {f"sizeof(((struct dccp_ccid_tx_info *)0)->marc.tokens) == {8}",
            *(f"{name} == {getattr(uapi, name)}" for name in OF_DCCP_H)} <= set(claims)
    text = "#include <stddef.h>\n#include <linux/dccp_ccid.h>\n" + "".join(
        f'_Static_assert({claim}, "");\n' for claim in claims)
    done = subprocess.run(["cc", "-I", os.path.join(TOP, "include/uapi"), "-fsyntax-only", "-Wall",
                           "-Werror", "-x", "c", "-"], input=text, text=True, capture_output=True,
                          check=False)
    assert done.returncode == 0, done.stderr


def test_meanings():
    """Each member of each structure is described."""
    for structure in STRUCTURES:
        for member, *_ in structure._fields_:
            if not member.startswith(("reserved", "schemes")):
                assert structure.MEANINGS[member]


def test_a_value_that_does_not_fit():
    with pytest.raises(ValueError, match=r"beta=65536 \(decay of the token value, in 10\^-3"):
        uapi.MarcTxParams(beta=65536)
    equation = uapi.LtfrcEquation(a=(1, -1, 0, 0))
    assert tuple(equation.a) == (1, -1, 0, 0)
    with pytest.raises(ValueError, match="does not fit"):
        equation.a = (1 << 31, 0, 0, 0)
    assert tuple(equation.a) == (1, -1, 0, 0)
    parameters = uapi.MarcTxParams(beta=900)
    with pytest.raises(ValueError, match="does not fit"):
        parameters.beta = 70000
    assert parameters.beta == 900


def test_a_member_that_is_misspelled():
    with pytest.raises(AttributeError, match="MarcTxParams has no delta_los: .* delta_loss"):
        uapi.MarcTxParams(delta_los=5)
    parameters = uapi.MarcTxParams()
    with pytest.raises(AttributeError, match="has no delta_los"):
        parameters.delta_los = 80
    state = uapi.CcidTxInfo()
    state.marc.tokens = 7
    with pytest.raises(AttributeError, match="MarcTxState has no token: "):
        state.marc.token = 7


def test_as_text_and_dict():
    assert repr(uapi.RaarTxParams(beta=875)) == (
        "RaarTxParams(beta=875, target_delay=0, frame_rate=0, l4s=0)")
    receiver = uapi.LtfrcRxParams(equation=uapi.LtfrcEquation(k=8, a=(1, 2, 3, 4)))
    assert dict(receiver)["equation"]["a"] == (1, 2, 3, 4)
