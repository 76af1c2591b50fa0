from __future__ import annotations

import json
import re
import time

import pytest

from benchmarks import documents, picture, report
from benchmarks.__main__ import main
from benchmarks.targets import verdicts
from benchmarks.timing import Plan, best_microseconds, trained


@pytest.fixture
def results():
    speed = [
        {
            "workload": "lenet-32",
            "title": "LeNet, batch 32",
            "mode": mode,
            "microseconds": {
                "eager": 100.0, "hybrid": 80.0, "torch": 120.0, "compile": 90.0,
                "mxnet": 300.0, "mxnet-hybrid": 120.0,
            },
        }
        for mode in ("forward", "step")
    ]  # fmt: skip
    speed[1]["microseconds"]["fused"] = 45.0
    machine = {"device": "a machine", "python": "3.11", "torch": "2.13", "mxnet": "1.9.1"}
    return {
        "quick": False,
        "threads": 1,
        "machine": machine,
        "speed": speed,
        "operators": [{"name": "x + y", "microseconds": {"eager": 2.0, "torch": 1.5}}],
        "import": {"torch": 1.0, "gluonish": 1.2},
        "cold": [
            {
                "workload": "lenet-32",
                "title": "LeNet, batch 32",
                "seconds": {"hybrid": {"three eager": 0.02, "first": 0.035}},
            }
        ],
        "time": [
            {
                "workload": "perceptron-2",
                "title": "perceptron",
                "lines": {
                    "hybrid cold": [(1, 0.1), (10, 0.2), (100, 2.0)],
                    "hybrid warm": [(1, 0.1), (10, 0.2), (100, 1.0)],
                    "torch cold": [(1, 0.1), (10, 0.4), (100, 4.0)],
                    "mxnet-hybrid cold": [(1, 0.1), (10, 0.4), (100, 8.0)],
                },
            }
        ],
        "memory": [{"workload": "lenet-32", "title": "LeNet", "mebibytes": {"eager": 12.0}}],
        "floors": [
            {
                "workload": "lenet-32",
                "title": "LeNet, batch 32",
                "mode": "step",
                "calls": 10,
                "microseconds": {"whole": 100.0, "alone": 40.0},
            }
        ],
        "random": [{"name": "np uniform", "size": 40, "gluonish": 2.0, "torch": 1.0}],
        "files": [
            {
                "name": "9 MB in 2 arrays: saved",
                "milliseconds": {"theirs": 9.0, "safetensors": 6.0, "params": 12.0},
            }
        ],
        "nets": [
            {
                "workload": "vgg16",
                "title": "VGG-16",
                "mode": "step",
                "microseconds": {
                    "hybrid": 9e5,
                    "torch": 1e6,
                    "torch-last": 9.9e5,
                    "mxnet-hybrid": 2e6,
                },
                "mebibytes": {
                    "hybrid": 1100,
                    "torch": 1000,
                    "torch-last": 990,
                    "mxnet-hybrid": 900,
                },
            }
        ],
        "input": [
            {
                "name": "pictures in folders",
                "by_hand": "torchvision",
                "speeds": {"gluonish": 1500.0, "torch": 1000.0, "mxnet": 500.0},
            }
        ],
    }


def test_time_to_all_steps_is_told_beside_pytorchs(results):
    text = report.full_report(results)
    rows = [
        [cell.strip() for cell in line.split("|")[2:-1]]
        for line in text.splitlines()
        if "perceptron, 100 steps" in line
    ]
    assert rows == [
        ["gluonish, plain loop, cold", "0.100", "0.20", "2.00", "2.00"],
        ["gluonish, plain loop, warm", "0.100", "0.20", "1.00", "4.00"],
        ["PyTorch eager", "0.100", "0.40", "4.00", "1.00"],
        ["MXNet hybrid", "0.100", "0.40", "8.00", "0.50"],
    ]


def test_nets_have_ratios_of_time_and_memory(results):
    text = report.full_report(results)
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if "VGG-16: training step" in line
    ]
    assert rows == [
        ["VGG-16: training step", "900", "1,000", "990", "2,000", "1.10", "2.22"],
        ["VGG-16: training step", "1,100", "1,000", "990", "900", "1.10"],
    ]
    said = [str(verdict) for verdict in verdicts(results) if "VGG-16" in verdict.what]
    assert [line.split()[0] for line in said] == ["met", "met", "met"]


def test_training_is_looked_at_now_and_then():
    done = []
    line = trained(lambda: done.append(1), 100, time.perf_counter())
    assert len(done) == 100
    assert [steps for steps, _ in line] == [1, *range(4, 10, 4), 10, *range(12, 101, 4)]
    assert [seconds for _, seconds in line] == sorted(seconds for _, seconds in line)


def test_table_gives_times_as_fast_as_the_faster_of_eager_and_compiled(results):
    (line,) = [row for row in report.short_report(results).splitlines() if "training step" in row]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells == ["LeNet, batch 32: training step", "0.90", "1.12", "2.00", "0.30", "0.75"]


def test_products_alone_say_what_is_possible(results):
    _, _, rest = report.full_report(results).partition("## Products and convolutions alone")
    (line,) = [row for row in rest.splitlines() if "LeNet, batch 32: training step" in row][:1]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells == ["LeNet, batch 32: training step", "100", "40.0", "40%", "2.25", "3.00"]


def test_mxnet_is_compared_mode_for_mode(results):
    assert "mode for mode, gluonish is 1.5 to 3 times as fast" in report.short_report(results)


def test_full_report_has_a_section_for_each_measurement(results):
    text = report.full_report(results)
    assert "| 9 MB in 2 arrays, saved |" in text
    assert "| times as fast as PyTorch, torchvision | times as fast as MXNet |" in text
    assert text.rstrip().endswith("3.00 |")
    for title in (
        "Files",
        "Pictures",
        "Speed",
        "Beside the real MXNet",
        "Tiny operators",
        "Cold start",
        "Memory",
    ):
        assert f"## {title}\n" in text
    assert "0.20 s over `import torch`" in text


def test_verdicts_tell_what_is_met_and_what_is_missed(results):
    found = {verdict.what.partition(": ")[2]: verdict for verdict in verdicts(results)}
    assert found["fused x PyTorch's best"].value == 2.0
    assert str(found["eager x PyTorch eager"]).startswith("met      1.20 (needed 1.00)")
    assert str(found["hybrid x MXNet"]).startswith("MISSED   1.50 (needed 2.00)")


def test_documents_are_filled_between_the_marks(results, tmp_path):
    marks = "before\n<!-- benchmark: begin -->\nyesterday\n<!-- benchmark: end -->\nafter\n"
    (tmp_path / "docs").mkdir()
    for name in ("README.md", "docs/benchmarks.md"):
        (tmp_path / name).write_text(marks)
    written = documents.write(results, tmp_path)
    page = (tmp_path / "docs" / "benchmarks.md").read_text()
    assert page.startswith("before\n<!-- benchmark: begin -->\n![")
    assert page.endswith("\n<!-- benchmark: end -->\nafter\n")
    assert "yesterday" not in page
    assert all(path.stat().st_size for path in written)
    shown = [name for name in re.findall(r"\]\((.*?)\)", page) if name.endswith(".svg")]
    assert shown == ["images/benchmarks.svg", "images/time.svg"]
    assert all(tmp_path / "docs" / name in written for name in shown)


def test_results_of_several_files_are_taken_together(results, tmp_path, monkeypatch, capsys):
    for number, parts in enumerate(
        [results | {"import": {"torch": 9.0, "gluonish": 9.1}}, results]
    ):
        (tmp_path / f"{number}.json").write_text(json.dumps(parts))
    files = [f"--from={tmp_path / name}" for name in ("0.json", "1.json")]
    monkeypatch.setattr("sys.argv", ["benchmarks", *files])
    main()
    printed = capsys.readouterr().out
    assert "0.20 s over" in printed
    assert "## Time to N steps" in printed


def test_documents_without_marks_are_refused():
    with pytest.raises(ValueError, match="page does not have the marks"):
        documents.fill("no marks", "text", "page")


def test_picture_is_the_same_for_the_same_results(results, tmp_path):
    for draw in (picture.draw, picture.draw_lines):
        for name in ("one.svg", "two.svg"):
            draw(results, tmp_path / name)
        assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_best_block_of_each_alternative_counts():
    blocks = iter([1.0, 1.0, 1.0, 0.3, 0.1, 0.2])
    plan = Plan(blocks=3, block_seconds=0.5, total_seconds=60.0)
    assert best_microseconds({"only": lambda _: next(blocks)}, plan) == {"only": 0.1e6}
