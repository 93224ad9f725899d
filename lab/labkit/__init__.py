# SPDX-License-Identifier: GPL-2.0-only
"""The framework of the experiments (Documentation/tutorial/new-experiment.rst).

    flows.py        the flows that experiments compare, by name
    experiment.py   what an experiment declares; finds the files in lab/experiments
    guest.py        carries out a scenario inside a guest, and leaves captures there
    networks.py     networks of the papers that lab/topology does not make
    layered.py      videos and network of DVRC's paper
    counting.py     counts instructions in an emulated guest
    ns2.py          carries it out in the simulator ns-2 instead
    capture.py      reads captures: one row for each packet at the bottleneck
    metrics.py      measures rows over a window
    video.py        videos of experiments: made, encoded, lost as in a run, compared
    encoder.py      a video encoder that follows the rate of what carries it (lab/media)
    media.py        networks, streams and metrics of RFC 8867 and 8868
    stats.py        means, confidence intervals, paired differences
    results.py      the format of result files, and when they may be mixed
    runner.py       boots guests, keeps what has been measured
    __main__.py     lab/bench: the command line
    papers.py       lab/papers: the results of the papers, and whether they hold here
    rules.py        which results are older than a rule of the schemes
    report.py       tables and figures for Documentation/results
    calls.py        one page over the results of all calls (rtc_*)
    demo.py         lab/demo: a video over each CCID, and what README.md says of it
    demo_guest.py   streams the video inside a guest
    host.py         files of the kernel, compiled for the host
"""

from labkit.experiment import Experiment, Flow, Scenario, Table, matrix

__all__ = ["Experiment", "Flow", "Scenario", "Table", "matrix"]
