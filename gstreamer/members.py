#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the parameters of the schemes as tables in C, from <linux/dccp_ccid.h>.

Usage: members.py HEADER >members.h

The header says which structure an option takes, and what each member means, with its unit
and its range. So the elements know all parameters that the kernel has, and say in an
error what was expected.
"""
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.S)
WIDTHS = {"__u8": 1, "__u16": 2, "__u32": 4, "__s32": 4}


def meanings(comment):
    """What a kernel-doc comment says of each member, in one line."""
    text = re.sub(r"^\s*\* ?", "", comment, flags=re.M)
    parts = re.split(r"^@(\w+):", text, flags=re.M)[1:]
    return {name: " ".join(part.split("\n\n")[0].split())
            for name, part in zip(parts[::2], parts[1::2])}


def structs(text):
    """Of each structure: its members, as type, name, length and meaning."""
    found = {}
    for m in re.finditer(r"/\*\*((?:(?!\*/).)*)\*/\nstruct (\w+) \{\n(.*?)^\};", text,
                         re.M | re.S):
        said = meanings(m[1])
        found[m[2]] = [
            (kind, name, int(length or 1), said.get(name, "")) for kind, name, length in
            re.findall(r"^\t((?:struct )?\w+)\s+(\w+)(?:\[(\d+)\])?;", COMMENT.sub("", m[3]), re.M)]
    return found


def flat(found, struct, sending, prefix=""):
    """The members, with those of structures inside; not what only the other half has."""
    for kind, name, length, meaning in found[struct]:
        if kind.startswith("struct "):
            yield from flat(found, kind.removeprefix("struct "), sending, f"{prefix}{name}.")
        elif name != "reserved" and (sending or not meaning.startswith("the sender's:")):
            yield kind, prefix + name, name, length, meaning.removeprefix("the sender's: ")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    found = structs(text)
    halves = re.findall(r"^#define (DCCP_SOCKOPT_(\w+)_(TX|RX))\t+\d+\t/\* struct (\w+) \*/", text,
                        re.M)
    print("/* Made by members.py: do not edit. */")
    for _, scheme, half, struct in halves:
        print(f"static const struct member {scheme.lower()}_{half.lower()}[] = {{")
        for kind, path, name, length, meaning in flat(found, struct, half == "TX"):
            print(f'\t{{ "{name}", offsetof(struct {struct}, {path}), {WIDTHS[kind]}, {length}, '
                  f'{int(kind == "__s32")},\n\t  "{meaning}" }},')
        print("\t{ }\n};\n")
    print("static const struct half halves[] = {")
    for option, scheme, half, _ in halves:
        name = scheme.lower()
        print(f'\t{{ "{name}", DCCPC_{scheme}, {int(half == "TX")}, {option}, '
              f"{name}_{half.lower()} }},")
    print("};")


main()
