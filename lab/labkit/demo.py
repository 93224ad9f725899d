# SPDX-License-Identifier: GPL-2.0-only
"""A video over CCID 2, CCID 3 and the five schemes, each beside the same TCP flows.

In a dumbbell of 1.5 Mbit/s and 140 ms, in a guest with virtual time, dccperf streams a test
video of ffmpeg at its own bit rate. A TCP flow comes 3 s after the DCCP Request and stays
for 5 s. Three come at 12 s: a fair share is then less than the video's rate. This is done
five times, and each time TCP comes 0.2 s later than the time before, which changes which
packets are lost. The output has the CCIDs that were negotiated and what was measured, on the
wire and of the frames: means of the five runs. Everything is left in build/demo.

    lab/demo                in User Mode Linux
    lab/demo --kernel 6.12  in Debian's 6.12
    lab/demo --udp          DCCP over UDP (RFC 6773)
    lab/demo --short        a test of the demo itself: one run of 5 s, two CCIDs, in
                            build/demo-short
    lab/demo --publish      copy the results of the last run to Documentation/figures, and --draw
    lab/demo --draw         from the results there make the figure and the numbers in README.md
    lab/demo --check        fail if the figure and README.md do not have these results
"""

import argparse
import concurrent.futures
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time

import matplotlib
matplotlib.use("svg")
# pylint: disable=wrong-import-position
import matplotlib.pyplot as plt
import pandas as pd
from tabulate import tabulate

from labkit import capture, flows, metrics, report, results, runner
from labkit.experiment import LAB, TOP

OUT = os.path.join(runner.BUILD, "demo")
OUT_SHORT = OUT + "-short"
PUBLISHED = os.path.join(TOP, "Documentation/figures")
README = os.path.join(TOP, "README.md")
BEGIN, END = "<!-- Made by lab/demo from here ... -->\n", "<!-- ... to here. -->\n"
KERNEL = "uml"
# An encoder's ladder of 550, 775 and 1000 kbit/s, which may go up or down a rung each second:
# r_min + m S. The video needs the lowest, about 510 on the wire, and no other.
LADDER = {"r_min": "550K", "r_max": "1000K", "step": "225K", "delta": "225K", "interval": 1}
# What a reader asks when most packets of a scheme are late
WHY = {
    "raar": "RAAR's default is made to leave TCP the greater part, and mostly gets [0.4 to 0.9 of "
            "what a TCP flow beside it gets](Documentation/explanation/raar.rst). After a loss it "
            "grows slowly, so what the video sends waits at the sender. Its parameter `delta` sets "
            "the share.",
}
CCIDS = "ccid2", "ccid3", "marc", "raar", "ltfrc", "dvrc", "ctfaf"
LINK = 1500                         # kbit/s
BIN = 0.5                           # s, in the figure


def scene(seconds, ccids, **more):
    """What is to be done."""
    return {
        "seconds": seconds,
        "topology": {"rate": "1.5mbit", "rtt": 140, "queue": 12},
        "udp": 0,
        "video": f"video-{seconds}.ts",
        # The same bits each time: one thread, no version strings. 480 kbit/s in all.
        "ffmpeg": f"""-f lavfi -i testsrc2=size=640x360:rate=25
            -f lavfi -i sine=frequency=440:beep_factor=4:sample_rate=48000
            -t {seconds} -flags +bitexact -fflags +bitexact
            -c:v libx264 -threads 1 -preset veryfast -pix_fmt yuv420p
            -g 25 -keyint_min 25 -sc_threshold 0 -bf 0 -b:v 330k -maxrate 330k -bufsize 330k
            -c:a mp2 -b:a 64k -f mpegts -muxrate 480k""".split(),
        "modules": [f"ccid_{name}" for name in ccids if name not in ("ccid2", "ccid3")],
        "flows": {name: {"ccid": flows.KINDS[name].ccid, "options": flows.KINDS[name].options(
            **(LADDER if name == "ctfaf" else {}))} for name in ccids},
        **more}


# tcp: begin and length, s after the Request; later: how much later in each run.
# alone, one, three: when the video is beside so many TCP flows. Alone is not the start, in
# which a sender may not yet send what the video has.
SCENARIO = scene(20, CCIDS, tcp=[[3, 5], [12, 5], [12, 5], [12, 5]],
                 later=[0, 0.2, 0.4, 0.6, 0.8],
                 alone=[[8, 12], [17, 19]], one=[[3, 8]], three=[[12, 17]])
SHORT = scene(5, ("ccid3", "marc"), tcp=[[1, 1], [3, 1], [3, 1], [3, 1]], later=[0],
              alone=[[2, 3], [4, 5]], one=[[1, 2]], three=[[3, 4]])


class Failed(Exception):
    """A message to the user in the place of a result."""


def say(text):
    """Progress, on standard error."""
    print(f"demo: {text}", file=sys.stderr, flush=True)


def run(command, what, **kwargs):
    """Run a command; if it fails, print what did not work."""
    try:
        return subprocess.run(command, check=True, **kwargs)
    except FileNotFoundError as e:
        raise Failed(f"{what}: no {command[0]} here, run lab/setup") from e
    except subprocess.CalledProcessError as e:
        raise Failed(f"{what}: {os.path.basename(command[0])} failed, see above") from e


def make_video(scenario):
    """Encode the video unless it is there."""
    video = scenario["video"]
    if not os.path.exists(video):
        say(f"encoding {scenario['seconds']} s of video")
        run(["ffmpeg", "-nostdin", "-v", "error", "-y", *scenario["ffmpeg"], video + ".new"],
            "encoding the video")
        os.rename(video + ".new", video)


def stream(scenario, kernel, number):
    """Boot a guest that streams the video: one run, in a folder of its own."""
    folder = str(number + 1)
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    with open(f"{folder}/scenario.json", "w", encoding="utf-8") as file:
        json.dump(shifted(scenario, scenario["later"][number]) |
                  {"video": f"../{scenario['video']}"}, file)
    # In virtual time the numbers depend on nothing but the code, and waiting is skipped.
    options = [] if kernel == "uml" else ["--virtual-time", "--cpus", "1", "--timeout", "1800"]
    log = f"{folder}/log"
    try:
        with open(log, "wb") as file:
            run([os.path.join(LAB, "run"), "--kernel", kernel, *options, "--", "/usr/bin/python3",
                 os.path.join(LAB, "labkit/demo_guest.py"), "scenario.json"],
                f"streaming, run {folder}", cwd=folder, stderr=file)
    except Failed:
        print(read(log), end="", file=sys.stderr)
        raise


def stream_all(scenario, kernel):
    """All runs, as many at once as there are processors."""
    count = len(scenario["later"])
    say(f"streaming in {kernel}, {count} {'times' if count > 1 else 'time'}: "
        f"{os.getcwd()}/*/log")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(lambda number: stream(scenario, kernel, number), range(count)):
            pass


# --------------------------------------------------------------------- measuring

def frame_hashes(path):
    """A hash of each frame of the video that ffmpeg can decode, by its time stamp."""
    lines = run(["ffmpeg", "-nostdin", "-v", "quiet", "-copyts", "-i", path, "-map", "0:v:0",
                 "-fps_mode", "passthrough", "-f", "framehash", "-hash", "md5", "-"],
                f"decoding {path}", stdout=subprocess.PIPE, text=True).stdout.splitlines()
    frames = [line.split(",") for line in lines if not line.startswith("#")]
    return {int(frame[2]): frame[5].strip() for frame in frames}


def of_one(packets, name):
    """The packets of one stream and of TCP beside it, by the time since the Request."""
    # The Request is the first packet that goes forward.
    zero = packets.loc[packets["name"] == name, "sent"].min()
    times = packets[list(capture.PLACES)] - zero
    packets = packets.assign(**times)
    # What comes after the next Request, and TCP beside the next stream, are not of this one.
    others = packets.loc[~packets["name"].isin([name, "tcp"]) & (packets["sent"] > 0), "sent"]
    return packets[(packets["sent"] >= 0) & packets["name"].isin([name, "tcp"]) &
                   ~(packets["sent"] >= others.min())], zero


def over(spans, metric):
    """Mean of a metric over several spans of time, by their lengths."""
    def mean(seen):
        return sum((b - a) * metric(seen.within((a, b))) for a, b in spans) / \
            sum(b - a for a, b in spans)
    return mean


def on_the_wire(packets, name, scenario):
    """What the captures of the bottleneck say; kbit/s of IP packets that left it."""
    seen = metrics.Run(packets, None, (0, scenario["seconds"] + 5))
    tcp = packets[packets["name"] == "tcp"]
    rates = {(key, who): over(scenario[key], metrics.total(who))(seen)
             for key in ("alone", "one", "three") for who in (name, "tcp")}
    return {"alone": rates["alone", name],
            "one": rates["one", name], "tcp_one": rates["one", "tcp"],
            "three": rates["three", name], "tcp_three": rates["three", "tcp"],
            "lost_percent": metrics.loss(name)(seen),
            # When each TCP flow opens
            "tcp_begins": [float(t) for t in tcp.groupby("flow")["sent"].min().sort_values()]}


def series(packets, trace, name, seconds):
    """What the figure shows: kbit/s on the wire in bins, and what the sender's CCID says."""
    seen = metrics.Run(packets, None, (0, seconds))
    values = {}
    for what, who in (("received", name), ("tcp", "tcp")):
        values[what] = (seen.bins(who, BIN, "passed").sum(axis=0) * 8e-3 / BIN).tolist()
    wanted = [BIN * (i + 1) for i in range(round(seconds / BIN))]
    for column, scale in (("x", 1e-3), ("tokens", 1e-3)):
        known = trace[["time", column]].dropna()
        values[column] = [math.nan if before.empty else float(before.iloc[-1]) * scale
                          for before in (known.loc[known["time"] <= t, column] for t in wanted)]
    return values


def judge(name, packets, folder, scenario, original):
    """How the video arrived with this CCID in a run."""
    with open(f"{folder}/{name}.json", encoding="utf-8") as file:
        said = json.load(file)
    if "error" in said:
        raise Failed(f"{name}: {said['error']}")
    receiver = said["end"]["receiver"]
    packets, zero = of_one(packets, name)
    with open(f"{folder}/guest.json", encoding="utf-8") as file:
        epoch = json.load(file)["epoch_monotonic"]
    trace = pd.read_csv(f"{folder}/{name}.csv")
    trace["time"] = trace["mono"] - epoch - zero
    got = frame_hashes(f"{folder}/{name}.ts")
    intact = sum(original.get(when) == md5 for when, md5 in got.items())
    return {"ccids": {f"{end}_{way}": said["start"][f"ccids_{end}"][f"{way}_ccid"]
                      for end in ("here", "peer") for way in ("tx", "rx")},
            **on_the_wire(packets, name, scenario),
            **{key: receiver[key] for key in ("late_ms", "late_or_lost_percent", "delay_p95_ms",
                                              "delay_max_ms", "jitter_ms")},
            "decoded_percent": 100 * len(got.keys() & original.keys()) / len(original),
            "intact_percent": 100 * intact / len(original),
            "series": series(packets, trace, name, scenario["seconds"])}


def unpunctual(found, planned):
    """CCIDs beside which a TCP flow did not begin within 50 ms of its time, and when they did."""
    times = sorted(begin for begin, _ in planned)
    return {name: result["tcp_begins"] for name, result in found.items()
            if len(result["tcp_begins"]) != len(times) or
            any(abs(a - b) > 0.05 for a, b in zip(result["tcp_begins"], times))}


def shifted(scenario, later):
    """The scenario of one run, in which TCP comes so much later."""
    moved = {key: [[begin + later, end + later] for begin, end in scenario[key]]
             for key in ("alone", "one", "three")}
    return scenario | moved | {"tcp": [[begin + later, length]
                                       for begin, length in scenario["tcp"]]}


def measure(scenario, kernel):
    """Everything that is known of the runs."""
    original = frame_hashes(scenario["video"])
    data = results.head("demo", kernel)
    data["scenario"] = scenario
    data["video"] = os.path.getsize(scenario["video"]) * 8e-3 / scenario["seconds"]
    for number, later in enumerate(scenario["later"]):
        folder, one = str(number + 1), shifted(scenario, later)
        packets, _ = capture.read(folder)
        found = {name: results.rounded(judge(name, packets, folder, one, original))
                 for name in scenario["flows"]}
        if late := unpunctual(found, one["tcp"]):
            raise Failed(f"TCP did not come when it should, so CCIDs cannot be compared: {late}")
        data["runs"].append({"later": later, "results": found})
    return data


def means(data):
    """For each CCID the first run's results, with the numbers' means over all runs."""
    runs = [run["results"] for run in data["runs"]]
    return {name: {key: sum(r[name][key] for r in runs) / len(runs)
                   if isinstance(value, (int, float)) else value for key, value in first.items()}
            for name, first in runs[0].items()}


# -------------------------------------------------------- tables, figure and page

LATE = "lost, or later than 100 ms (%)"
ROWS = (
    ("CCID, sender to receiver", lambda r: f"{r['ccids']['here_tx']} / {r['ccids']['peer_rx']}"),
    ("CCID, receiver to sender", lambda r: f"{r['ccids']['peer_tx']} / {r['ccids']['here_rx']}"),
    ("TCP flows begin at, first run (s)", lambda r: ", ".join(f"{t:.1f}" for t in dict.fromkeys(
        round(t, 1) for t in r["tcp_begins"]))),
    ("alone, on the wire (kbit/s)", lambda r: f"{r['alone']:.0f}"),
    ("beside one TCP flow (kbit/s)", lambda r: f"{r['one']:.0f}"),
    ("    this TCP flow (kbit/s)", lambda r: f"{r['tcp_one']:.0f}"),
    ("beside three TCP flows (kbit/s)", lambda r: f"{r['three']:.0f}"),
    ("    all three together (kbit/s)", lambda r: f"{r['tcp_three']:.0f}"),
    ("lost, on the wire (%)", lambda r: f"{r['lost_percent']:.2f}"),
    ("95 % of delays are below (ms)", lambda r: f"{r['delay_p95_ms']:.0f}"),
    ("longest delay (ms)", lambda r: f"{r['delay_max_ms']:.0f}"),
    (LATE, lambda r: f"{r['late_or_lost_percent']:.1f}"),
    ("frames that decode (%)", lambda r: f"{r['decoded_percent']:.1f}"),
    ("frames as they were encoded (%)", lambda r: f"{r['intact_percent']:.1f}"),
)


def table(data):
    """The results as text: means, and the extremes of what a viewer notices."""
    found = means(data)
    lines = [f"{'':34}" + "".join(f"{flow:>12}" for flow in found)]
    for name, cell in ROWS:
        lines.append(f"{name:34}" + "".join(f"{cell(r):>12}" for r in found.values()))
        if name == LATE:
            lines.append(f"{'    least and most of the runs':34}" +
                         "".join(f"{extremes(data, name, '-'):>12}" for name in found))
    lines.append("Delays are those above the path's, and include the time at the sender.")
    return "\n".join(lines)


def extremes(data, name, to):
    """Of what was lost or late, in %: least and most of the runs."""
    values = [run["results"][name]["late_or_lost_percent"] for run in data["runs"]]
    return f"{min(values):.1f}{to}{max(values):.1f}"


def words(names):
    """MARC, RAAR and DVRC"""
    names = [flows.label(n) for n in names]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def markdown(data):
    """What README.md says of the results."""
    found, video = means(data), data["video"]
    late = {name: r["late_or_lost_percent"] for name, r in found.items()}
    three = {name: r["three"] for name, r in found.items()}
    behind = [name for name, percent in late.items() if percent > 50]
    columns = {"alone": "alone, kbit/s", "one": "beside one TCP flow, kbit/s",
               "three": "beside three TCP flows, kbit/s", "lost_percent": "lost, %",
               "late_or_lost_percent": "lost or late, %",
               "delay_p95_ms": "95 % of delays are below, ms"}
    rows = [(flows.label(name), *(
        f"{r[key]:.{int('percent' in key)}f}" +
        (f" ({extremes(data, name, ' to ')})" if key == "late_or_lost_percent" else "")
        for key in columns)) for name, r in found.items()]
    return "\n".join([
        "",
        f"The video has {video:.0f} kbit/s, without the headers of the packets; all other rates "
        "count IP packets on the link.",
        '"Alone" is the time after TCP flows have ended, when a sender may also send what had '
        "waited.",
        f"Beside three TCP flows a fair share of the link is {LINK / 4:.0f} kbit/s.",
        f"There MARC carried {three['marc']:.0f} kbit/s, CCID 3 {three['ccid3']:.0f} and "
        f"CCID 2 {three['ccid2']:.0f}.",
        f"These {sum(b - a for a, b in data['scenario']['three']):.0f} s are too short to be a "
        "measure of fairness. Longer runs are [ten MARC streams beside ten TCP flows]"
        "(Documentation/explanation/marc.rst#ten-streams-beside-ten-tcp-figure-17).",
        f"A packet is late if it comes more than {found['marc']['late_ms']:.0f} ms after its "
        "time, which is what a viewer notices.",
        f"Of all packets, {late['marc']:.1f} % were lost or late with MARC, "
        f"{late['ccid3']:.1f} % with CCID 3 and {late['ccid2']:.1f} % with CCID 2.",
        *([f"With {words(behind)} more than half of them were late: a player needs a longer buffer "
           "there."] if behind else []),
        *(WHY[name] for name in behind if name in WHY),
        "CTFAF keeps to the rates of an encoder, here 550, 775 and 1000 kbit/s, of which the video "
        "needs only the lowest.",
        "",
        tabulate(rows, ["", *columns.values()], tablefmt="github", disable_numparse=True,
                 colalign=["left"] + ["right"] * len(columns)),
        "",
        f"`make demo` made this figure and these numbers ({data['kernel']}, commit "
        f"{data['commit']}).",
        f"They are means of {len(data['runs'])} runs, in which TCP comes at different moments of "
        "the video; in parentheses are the least and the most of the runs.",
        "The figure shows the first run. The pages of the schemes have experiments with many "
        "runs.", ""])


def panel(ax, data, name):
    """Rate over time of one CCID."""
    found, color = data["runs"][0]["results"][name], flows.color(name)
    values = found["series"]
    ends = [BIN * (i + 1) for i in range(len(values["received"]))]
    middles = [t - BIN / 2 for t in ends]
    ax.fill_between(middles, values["tcp"], color=flows.color("web"), alpha=0.35, linewidth=0,
                    label="TCP")
    if any(x is not None for x in values["x"]):
        ax.plot(ends, [math.nan if x is None else x for x in values["x"]], color=color,
                linewidth=0.9, alpha=0.55, label="allowed (X)")
    ax.plot(middles, values["received"], color=color, linewidth=1.9, label="the video, received")
    ax.axhline(data["video"], color=report.INK, linewidth=0.7, linestyle=(0, (4, 3)))
    ax.set_ylim(0, LINK)
    ax.set_ylabel("kbit/s")
    ax.set_title(flows.label(name))
    ax.text(1, 1.03, f"alone {found['alone']:.0f}, beside TCP {found['one']:.0f} and "
            f"{found['three']:.0f} kbit/s;  "
            f"{found['late_or_lost_percent']:.1f} % late or lost", transform=ax.transAxes,
            ha="right", va="bottom", fontsize=8)


def tokens(ax, data):
    """MARC's tokens over time."""
    values, color = data["runs"][0]["results"]["marc"]["series"]["tokens"], flows.color("marc")
    ends = [BIN * (i + 1) for i in range(len(values))]
    values = [math.nan if v is None else v for v in values]
    ax.plot(ends, values, color=color, linewidth=1.4)
    ax.fill_between(ends, values, color=color, alpha=0.15, linewidth=0)
    ax.set_title("MARC's tokens: fair share that was left unused")
    ax.set_ylabel("kB")


def draw(data, path, mark):
    """Rates of all CCIDs, and MARC's tokens beside MARC."""
    scenario, panels = data["scenario"], list(data["scenario"]["flows"])
    panels.insert(panels.index("marc") + 1, "tokens")
    lines = math.ceil(len(panels) / 2)
    figure, axes = plt.subplots(lines, 2, sharex=True, figsize=(12, 2.25 * lines))
    for ax, name in zip(axes.flat, panels):
        for begin, end in scenario["one"] + scenario["three"]:
            ax.axvspan(begin, end, color="#e9eef2", zorder=0, linewidth=0)
        (tokens(ax, data) if name == "tokens" else panel(ax, data, name))
    for ax in axes[-1]:
        ax.set_xlabel("seconds since the sender's DCCP Request")
        ax.set_xlim(0, scenario["seconds"])
    first = axes.flat[panels.index("ccid3")]
    first.legend(loc="upper right", fontsize=8, handlelength=1.6, borderaxespad=0.2)
    first.text(scenario["seconds"], data["video"] - 40, "the video's rate", ha="right", va="top",
               fontsize=8)
    figure.suptitle("A video over DCCP: 1.5 Mbit/s, 140 ms, and TCP flows that come and go",
                    x=0.01, ha="left", fontsize=11)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None, "Description": f"drawn from {mark}"})
    plt.close(figure)


def digest(path):
    """Identifies a result file, and what draws it."""
    return report.digest(path, os.path.abspath(__file__))


def in_readme(text, data):
    """README.md with these results."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise Failed(f"{README} has no {BEGIN.strip()}")
    return head + begin + markdown(data) + "\n" + end + tail


def read(path):
    """A file's text."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def publish():
    """The last run becomes the one of the repository."""
    data = json.loads(read(f"{OUT}/demo.json"))
    if data["scenario"]["udp"] or not data["kernel"].startswith(KERNEL):
        raise Failed(f"README shows DCCP without UDP in {KERNEL}; this was {data['kernel']}")
    if "dirty" in data["commit"]:
        raise Failed("this was measured with changes that are in no commit")
    shutil.copy(f"{OUT}/demo.json", PUBLISHED)
    redraw()


def redraw():
    """Figure and numbers of the repository, from its results."""
    path = f"{PUBLISHED}/demo.json"
    data = json.loads(read(path))
    draw(data, f"{PUBLISHED}/demo.svg", digest(path))
    text = in_readme(read(README), data)
    with open(README, "w", encoding="utf-8") as file:
        file.write(text)


def stale():
    """What in the repository is not what demo.json says: a line for each."""
    path, problems = f"{PUBLISHED}/demo.json", []
    data = json.loads(read(path))
    if data["scenario"] != json.loads(json.dumps(SCENARIO)):
        problems.append(f"{path}: the demo has changed since: run make demo, then "
                        "lab/demo --publish")
    mark = re.search(r"drawn from (\w+)", read(f"{PUBLISHED}/demo.svg"))
    if not mark or mark[1] != digest(path):
        problems.append(f"{PUBLISHED}/demo.svg is not drawn from demo.json: run lab/demo --draw")
    text = read(README)
    if in_readme(text, data) != text:
        problems.append(f"{README} does not have the numbers of demo.json: run lab/demo --draw")
    return problems


# ------------------------------------------------------------------- command line

def demo(args):
    """Stream, measure, print."""
    start = time.monotonic()
    out = OUT_SHORT if args.short else OUT
    os.makedirs(out, exist_ok=True)
    os.chdir(out)
    if why := runner.outdated([args.kernel]):
        raise Failed(why)
    scenario = (SHORT if args.short else SCENARIO) | {
        "udp": capture.DCCP_IN_UDP if args.udp else 0}
    for name in "demo.json", "demo.svg":
        if os.path.exists(name):
            os.remove(name)
    make_video(scenario)
    stream_all(scenario, args.kernel)
    say("measuring and decoding what was received")
    data = measure(scenario, runner.kernel(args.kernel))
    with open("demo.json", "w", encoding="utf-8") as file:
        json.dump(data, file)
        file.write("\n")
    draw(data, "demo.svg", digest("demo.json"))
    print(f"\n{scenario['seconds']} s of video through 1.5 Mbit/s and 140 ms, and TCP flows come "
          f"and go{', over UDP' if args.udp else ''}; means of {len(data['runs'])} runs\n")
    print(table(data))
    print(f"\nfigure: {out}/demo.svg   ({time.monotonic() - start:.0f} s)")


def main():
    """The command line."""
    p = argparse.ArgumentParser(prog="lab/demo", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--kernel", default=KERNEL, help=f"as of lab/run ({KERNEL})")
    p.add_argument("--udp", action="store_true", help="DCCP over UDP (RFC 6773)")
    p.add_argument("--short", action="store_true", help="a test of the demo itself")
    what = p.add_mutually_exclusive_group()
    what.add_argument("--publish", action="store_true", help="publish the last run")
    what.add_argument("--draw", action="store_true", help="write figure and README.md")
    what.add_argument("--check", action="store_true", help="compare figure and README.md")
    args = p.parse_args()
    try:
        if args.check:
            problems = stale()
            print("".join(p + "\n" for p in problems), end="")
            return bool(problems)
        if args.publish:
            publish()
        elif args.draw:
            redraw()
        else:
            demo(args)
    except (Failed, OSError) as e:
        say(str(e))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
