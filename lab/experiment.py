# SPDX-License-Identifier: GPL-2.0
"""What the experiments (lab/bench-*) share: guests, flows, tables, results.

An experiment is a script that, called with --guest, measures one thing inside a guest
and prints it as JSON. Its results are a list of rows, each with a "key"; what is
measured anew replaces the row with the same key, in build/bench/NAME.json, and the
text is written again after each row.
"""

import argparse
import concurrent.futures
import contextlib
import csv
import json
import math
import os
import subprocess
import sys
import time

LAB = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(LAB)
OUT = os.path.join(TOP, "build/bench")
DCCPERF = os.path.join(TOP, "build/tools/dccperf")
RIGHT = "10.0.2.1"
HEADERS = 20 + 16           # of a data packet: IP's, DCCP's with long numbers
# two-sided 95 % quantile of Student's t, by number of values
STUDENT = {2: 12.71, 3: 4.303, 4: 3.182, 5: 2.776}

# TFRC is MARC's preset of that name: no tokens, and X_recv limits X as in RFC 5348.
FLOWS = {
    "ccid3": ("CCID 3", ["-C", "ccid3"]),
    "tfrc": ("TFRC", ["-C", "marc", "--marc", "preset=tfrc"]),
    "ltfrc8": ("L-TFRC, k = 8", ["-C", "ltfrc", "--ltfrc", "k=8,bounded=0"]),
    "bounded8": ("k = 8, bounded, weight 1", ["-C", "ltfrc"]),
    "ltfrc11": ("L-TFRC, k = 11", ["-C", "ltfrc", "--ltfrc", "k=11,weight=2"]),
    "ltfrc15": ("L-TFRC, k = 15", ["-C", "ltfrc", "--ltfrc", "k=15,bounded=0"]),
    "ctfaf": ("CTFAF", ["-C", "ctfaf"]),
    "raar": ("RAAR", ["-C", "raar"]),
}
MODULES = "dccp_ipv4", "ccid_marc", "ccid_ltfrc", "ccid_ctfaf", "ccid_raar"


# ------------------------------------------------------------ inside the guest

def lab(*command):
    """Run one of the lab's scripts."""
    subprocess.run([os.path.join(LAB, command[0]), *map(str, command[1:])], check=True)


def in_ns(ns, *command):
    """The command, as seen from a namespace of the dumbbell."""
    return ["ip", "netns", "exec", ns, *map(str, command)]


def load_modules():
    """All schemes."""
    subprocess.run(["modprobe", "-a", *MODULES], check=True)


@contextlib.contextmanager
def background(*commands):
    """Programs that run beside, until the end of the block, however that comes."""
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
            process.wait()


class Flow:
    """A dccperf test from left to right; both ends leave a trace."""

    port = 5300

    def __init__(self, flow, *options, trace_interval=0.1, extra=()):
        Flow.port += 1
        self.traces = [f"/dev/shm/{Flow.port}-{end}.csv" for end in ("client", "server")]
        common = ["-i", "0", "-J", "-p", Flow.port, "--trace-interval", trace_interval,
                  *FLOWS[flow][1][:2]]
        self.server = subprocess.Popen(
            in_ns("right", DCCPERF, "-s", "-1", *common, "--trace", self.traces[1]),
            stdout=subprocess.DEVNULL)
        time.sleep(1)
        self.client = subprocess.Popen(
            in_ns("left", DCCPERF, "-c", RIGHT, *common, "--trace", self.traces[0],
                  *FLOWS[flow][1][2:], *extra, *options), stdout=subprocess.PIPE)

    def result(self):
        """Wait; dccperf's document."""
        document = json.loads(self.client.communicate()[0])
        self.server.wait()
        if "error" in document:
            raise RuntimeError(document["error"])
        return document["end"]

    def trace(self, end=0):
        """Columns of a trace: of the sender, or with end = 1 of the receiver."""
        return columns(self.traces[end])


def columns(path):
    """Columns of a CSV, as lists of numbers; NaN where it says nothing."""
    with open(path, encoding="ascii") as f:
        rows = list(csv.DictReader(f))
    return {name: [float(row[name] or "nan") for row in rows] for name in rows[0]}


def mean(values):
    """NaN if there are none."""
    values = list(values)
    return sum(values) / len(values) if values else math.nan


def deviation(values):
    """Standard deviation."""
    middle = mean(values)
    return math.sqrt(mean((v - middle) ** 2 for v in values))


# ---------------------------------------------------------------- on the host

def table(head, rows):
    """Text, first column to the left."""
    cells = [head, *rows]
    width = [max(len(str(row[i])) for row in cells) for i in range(len(head))]
    return "\n".join("  ".join(
        str(c).ljust(w) if i == 0 else str(c).rjust(w)
        for i, (c, w) in enumerate(zip(row, width))).rstrip() for row in cells) + "\n"


def number(value, form=".3f"):
    """A dash for what is not known."""
    return "-" if value is None or math.isnan(value) else format(value, form)


def interval(values, form):
    """Mean, and half of its 95 % confidence interval if there are several values."""
    text = number(mean(values), form)
    if len(values) > 1:
        error = deviation(values) * (len(values) / (len(values) - 1)) ** 0.5
        text += "+-" + number(STUDENT[len(values)] * error / len(values) ** 0.5, form)
    return text


def guest(script, key, limit):
    """One measurement, in a guest of its own."""
    done = subprocess.run([os.path.join(LAB, "run"), "--timeout", str(limit), "--", script,
                           "--guest", *key.split()], stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise RuntimeError(f"{os.path.basename(script)} --guest {key} failed, see above")
    return {"key": key, **json.loads(done.stdout)}


def merge(path, keys, row):
    """The rows of a file, with a new one among them, in the order of the keys."""
    rows = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            rows = {r["key"]: r for r in json.load(f)}
    rows[row["key"]] = row
    rows = [rows[key] for key in keys if key in rows]
    with open(path + ".new", "w", encoding="utf-8") as f:
        json.dump(rows, f)
    os.rename(path + ".new", path)
    return rows


def main(script, doc, keys, measure, text, limit=900):
    """The command line of an experiment.

    keys: all that there is to measure, each a string of words; measure(*words), in the
    guest: a dictionary; text(rows): the tables of what there is so far.
    """
    name = os.path.basename(script).removeprefix("bench-")
    p = argparse.ArgumentParser(prog=f"lab/bench-{name}", description=doc,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("only", nargs="*", metavar="WORD",
                   help="measure only rows whose keys have all of these words, and keep the "
                        "others as they are in the results")
    p.add_argument("--list", action="store_true", help="list the keys of all rows")
    p.add_argument("--jobs", type=int, default=min(2, os.cpu_count()), help="guests at a time (2)")
    p.add_argument("--json", metavar="FILE", default=os.path.join(OUT, name + ".json"),
                   help="results, written as they come; the text goes beside it")
    p.add_argument("--guest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    args = p.parse_args()
    if args.guest:
        load_modules()
        print(json.dumps(measure(*args.guest)))
        return
    todo = [key for key in keys if set(args.only) <= set(key.split())]
    if args.list or not todo:
        print("\n".join(keys))
        return
    os.makedirs(os.path.dirname(args.json), exist_ok=True)
    if not args.only and os.path.exists(args.json):
        os.remove(args.json)
    # Every thread has its own guest; rows are written by this one.
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [pool.submit(guest, os.path.abspath(script), key, limit) for key in todo]
        try:
            for n, run in enumerate(concurrent.futures.as_completed(runs), 1):
                rows = merge(args.json, keys, run.result())
                with open(os.path.splitext(args.json)[0] + ".txt", "w", encoding="utf-8") as f:
                    f.write(text(rows))
                print(f"bench {name}: {time.strftime('%H:%M:%S')} {n} of {len(todo)}: "
                      f"{run.result()['key']}", file=sys.stderr, flush=True)
        except RuntimeError as e:
            pool.shutdown(cancel_futures=True)
            sys.exit(f"bench-{name}: {e}")
    print(text(rows))
