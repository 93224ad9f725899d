#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write dccp_ccids/uapi.py, from <linux/dccp_ccid.h> of this repository and <linux/dccp.h>.

Usage: python/uapi_gen.py >python/dccp_ccids/uapi.py

"make check" compares the two. What the structures look like in memory is compared with
the C compiler's by python/tests/test_uapi.py.
"""
import os
import re
import textwrap

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CACHE = os.environ.get("LAB_CACHE", os.path.join(TOP, "build"))
KERNEL = os.path.join(CACHE, "linux/6.12/source/include/uapi/linux/dccp.h")
OURS = os.path.join(TOP, "include/uapi/linux/dccp_ccid.h")

# Constants of these names are taken: the others are of packets, which programs do not see.
WANTED = re.compile(r"DCCP_SOCKOPT_|DCCP_SCM_PRIORITY|DCCPQ_POLICY_(SIMPLE|PRIO)$|"
                    r"DCCP_CCID_|DCCP_LTFRC_ONE$|DCCP_DVRC_LAYERS_MAX$|DCCP_SERVICE_LIST_MAX_LEN$")
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def camel(name):
    """dccp_marc_tx_params: MarcTxParams"""
    return "".join(word.title() for word in name.removeprefix("dccp_").split("_"))


def constants(text):
    """The numbers that are defined, in their order."""
    for name, value in re.findall(r"^#define (\w+)\s+(0x[0-9a-f]+|\d+)\b", text, re.M):
        yield name, int(value, 0)


def enums(text):
    """The enumerations: name, comment, members with their values and comments."""
    for m in re.finditer(r"(?:/\*([^/]*?)\*/\n)?^enum (\w*) ?\{\n(.*?)^\};", text, re.M | re.S):
        value, members = -1, []
        for line in re.findall(r"^\t(\w+)(?: = (\w+))?,?(?:\s*/\*\s*(.*?)\s*\*/)?", m[3], re.M):
            value = int(line[1], 0) if line[1] else value + 1
            members.append((line[0], value, line[2]))
        yield m[2], " ".join((m[1] or "").split()), members


def paragraphs(comment):
    """A kernel-doc comment: what it says first, and of each member."""
    text = re.sub(r"^\s*\* ?", "", comment, flags=re.M)
    text = re.sub(r"enum (dccp_\w+)", lambda m: camel(m[1]), text)
    head, *parts = re.split(r"^@([\w.]+):", text, flags=re.M)
    meanings = {name: " ".join(part.split("\n\n")[0].split())
                for name, part in zip(parts[::2], parts[1::2])}
    return " ".join(head.split("\n\n")[0].split()), meanings


def c_type(name, length):
    if name.startswith("__"):
        kind = f"ctypes.c_{'u' * (name[2] == 'u')}int{name[3:]}"
    else:
        kind = camel(name.removeprefix("struct "))
    return f"{kind} * {length}" if length else kind


def python_type(name, length):
    if length:
        return f"ctypes.Array[{c_type(name, None)}]"
    return "int" if name.startswith("__") else c_type(name, None)


def members(body):
    """Type, name and length of each."""
    return re.findall(r"^\s*((?:struct )?\w+)\s+(\w+)(?:\[(\d+)\])?;", COMMENT.sub("", body), re.M)


def write_class(name, doc, fields, meanings, option=None, schemes=()):
    """A structure with its fields: name, type for ctypes, type for programs."""
    print(f"\n\nclass {name}(Structure):")
    print(textwrap.fill(f'"""{doc}"""', 98, initial_indent="    ", subsequent_indent="    "))
    if option:
        print(f"    OPTION = {option}")
    print("    MEANINGS = {")
    for member, *_ in fields:
        if not member.startswith(("reserved", "schemes")):
            lines = textwrap.wrap(meanings[member], 82)
            short = len(lines) == 1 and len(member) + len(lines[0]) < 84
            first = " " if short else "\n            "
            print(f'        "{member}":{first}"' + ' "\n            "'.join(lines) + '",')
    print("    }")
    for member, _, kind in [*fields, *schemes]:
        print(f"    {member}: {kind}")
    if any(member == "schemes" for member, *_ in fields):
        print('    _anonymous_ = ("schemes",)')
    print("    _fields_ = [")
    for member, kind, _ in fields:
        print(f'        ("{member}", {kind}),')
    print("    ]")


def structure(name, comment, body):
    head, meanings = paragraphs(comment)
    doc = re.sub(r"^struct (\w+) - (DCCP_\w+)", r"struct \1, of \2", head)
    option = re.search(r"DCCP_SOCKOPT_\w+", head)[0]
    schemes = []
    outer, _, union = body.partition("\tunion {\n")
    fields = [(member, c_type(kind, length), python_type(kind, length))
              for kind, member, length in members(outer)]
    if union:
        half = "Tx" if "_tx_" in name else "Rx"
        for scheme in re.finditer(r"/\*\*(.*?)\*/\s*struct \{(.*?)\} (\w+);", union, re.S):
            state = scheme[3].title() + half + "State"
            _, own = paragraphs(scheme[1])
            write_class(state, f"S{meanings[scheme[3]][1:]}, in {camel(name)}.",
                        [(m, c_type(k, n), python_type(k, n)) for k, m, n in members(scheme[2])],
                        {member.partition(".")[2]: text for member, text in own.items()})
            schemes.append((scheme[3], state, state))
        print(f"\n\nclass {half}Schemes(ctypes.Union):\n    _fields_ = [")
        for scheme, state, _ in schemes:
            print(f'        ("{scheme}", {state}),')
        for kind, member, length in members(union.rpartition("}")[0].rpartition("}")[2]):
            print(f'        ("{member}", {c_type(kind, length)}),')
        print("    ]")
        fields += [("schemes", half + "Schemes", half + "Schemes")]
    write_class(camel(name), doc, fields, meanings, option, schemes)


def main():
    texts = read(KERNEL), read(OURS)
    print('''\
# SPDX-License-Identifier: GPL-2.0-only
"""Constants and structures of <linux/dccp.h> and <linux/dccp_ccid.h>.

Made by python/uapi_gen.py: do not edit.
"""
import ctypes
import enum

from .structure import Structure
''')
    ccids = []
    for text in texts:
        for name, _, values in enums(text):
            for member, value, _ in values:
                if member.startswith("DCCPC_"):
                    ccids.append((member, value))
                elif not name.startswith("dccp_ccid") and WANTED.match(member):
                    print(f"{member} = {value}")
        for member, value in constants(text):
            if member.startswith("DCCPC_"):
                ccids.append((member, value))
            elif WANTED.match(member):
                print(f"{member} = {value}")
    print('\n\nclass Ccid(enum.IntEnum):\n    """The CCIDs that have names."""')
    for member, value in ccids:
        print(f"    {member.removeprefix('DCCPC_')} = {value}")
    for name, comment, values in enums(texts[1]):
        prefix = os.path.commonprefix([member for member, *_ in values]).rpartition("_")[0] + "_"
        print(f'\n\nclass {camel(name)}(enum.IntEnum):\n    """{comment}"""')
        for member, value, note in values:
            print(f"    {member.removeprefix(prefix)} = {value}" + (f"  # {note}" if note else ""))
    for m in re.finditer(r"^/\*\*(.*?)\*/\nstruct (\w+) \{\n(.*?)^\};", texts[1], re.M | re.S):
        structure(m[2], m[1], m[3])


if __name__ == "__main__":
    main()
