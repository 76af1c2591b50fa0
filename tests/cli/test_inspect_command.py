from __future__ import annotations

import json
from pathlib import Path

import pytest

from gluonish.cli import main
from gluonish.cli.text import table, wrapped

GOLDEN = Path(__file__).parent.parent / "golden" / "mxnet"
LENET = GOLDEN / "models" / "lenet"


@pytest.fixture
def width(monkeypatch):
    """Set the terminal's width."""
    return lambda columns: monkeypatch.setenv("COLUMNS", str(columns))


def test_parameters_are_shown_as_a_table(width, capsys):
    width(120)
    assert main(["inspect", str(LENET / "net.params"), "--stats"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "  MXNet parameters, 11.4 KiB; 16 arrays, 2,692 numbers, 10.5 KiB of values"
    head = next(line for line in lines if "shape" in line)
    assert head.split() == ["name", "shape", "dtype", "bytes", "min", "max", "mean"]
    row = next(line for line in lines if line.startswith("  0.weight"))
    assert row.split()[-4:] == ["400", "-0.6338", "0.7429", "0.01206"]


@pytest.mark.parametrize("columns", [80, 200])
def test_lines_fit_the_terminal(columns, width, capsys):
    width(columns)
    files = [LENET / "net-0007.params", LENET / "net-symbol.json", GOLDEN / "states/adam.states"]
    for path in files:
        main(["inspect", str(path), "--stats"])
    main(["inspect", str(GOLDEN / "models")])
    lines = capsys.readouterr().out.splitlines()
    starts = tuple(map(str, [*files, GOLDEN]))
    shown = [line for line in lines if not line.startswith(starts) and "/" not in line]
    assert max(map(len, shown)) <= columns


def test_several_files_follow_one_another(width, capsys):
    width(100)
    files = [str(GOLDEN / "recordio/img.rec"), str(GOLDEN / "mnist/tiny-labels-idx1-ubyte")]
    assert main(["inspect", *files]) == 0
    shown = capsys.readouterr().out
    assert "  records         6" in shown
    assert "  labels          3 of 1, 3 of 3" in shown
    assert "IDX array, 28 B; 1 array, 20 numbers" in shown


def test_graphs_show_operators_for_shapes_of_inputs(width, capsys):
    width(100)
    graph = str(LENET / "net-symbol.json")
    assert main(["inspect", graph, "--input-shape", "data=4,1,28,28"]) == 0
    shown = capsys.readouterr().out
    assert "  inputs          data (4, 1, 28, 28)" in shown
    assert "Convolution     (4, 4, 28, 28)" in shown


def test_folders_show_a_line_for_each_file(width, capsys):
    width(120)
    assert main(["inspect", str(GOLDEN / "models/mlp")]) == 0
    lines = capsys.readouterr().out.splitlines()
    row = next(line for line in lines if line.startswith("  net-0007.params"))
    assert row.split() == ["net-0007.params", "MXNet", "parameters", "4", "arrays,", "83",
                           "numbers", "620", "B"]  # fmt: skip
    assert lines[-1].startswith("  and 2 files of other kinds")


def test_folders_and_files_are_shown_together(tmp_path, width, capsys):
    width(200)
    (tmp_path / "empty").mkdir()
    assert main(["inspect", str(tmp_path / "empty")]) == 0
    assert "no files of models" in capsys.readouterr().out
    files = [str(GOLDEN / "models/mlp"), str(LENET / "net.params"), "memory://nowhere/x"]
    assert main(["inspect", *files]) == 1
    shown = capsys.readouterr()
    assert f"  {GOLDEN / 'models/mlp/net-0007.params'}" in shown.out
    assert f"  {LENET / 'net.params'}" in shown.out
    assert "'memory://nowhere/x'" in shown.err
    assert main(["inspect", ""]) == 1
    assert "file name: '' was given" in capsys.readouterr().err


def test_damaged_files_are_shown_as_far_as_they_go(tmp_path, width, capsys):
    width(100)
    path = tmp_path / "x.params"
    path.write_bytes((LENET / "net.params").read_bytes()[:2000])
    assert main(["inspect", str(path)]) == 1
    shown = capsys.readouterr()
    assert "before the damage, 6 arrays:" in shown.out or "before the damage" in shown.out
    assert shown.err.count("\n") == 1
    assert "array " in shown.err
    assert main(["inspect", str(tmp_path)]) == 1
    assert "damaged" in capsys.readouterr().out


def test_missing_files_do_not_keep_others_from_being_shown(capsys):
    assert main(["inspect", "nothing", str(LENET / "net.params")]) == 1
    shown = capsys.readouterr()
    assert "gluonish inspect: Loading 'nothing': No such file" in shown.err
    assert "16 arrays" in shown.out
    with pytest.raises(FileNotFoundError):
        main(["inspect", "nothing", "--debug"])


def test_json_is_for_machines(capsys):
    assert main(["inspect", "--json", str(LENET / "net.params")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["kind"], found["elements"], len(found["arrays"])) == ("params", 2692, 16)
    main(["inspect", "--json", str(LENET / "net.params"), str(LENET / "net-symbol.json")])
    assert [one["kind"] for one in json.loads(capsys.readouterr().out)] == ["params", "graph"]
    main(["inspect", "--json", str(GOLDEN / "models/mlp")])
    assert len(json.loads(capsys.readouterr().out)) == len(list((GOLDEN / "models/mlp").iterdir()))


def test_pictures_are_drawn_of_graphs(tmp_path, capsys):
    pytest.importorskip("graphviz")
    target = tmp_path / "net.gv"
    shape = ["--input-shape", "data=1,1,28,28"]
    assert main(["inspect", str(LENET / "net-0007.params"), "--plot", str(target), *shape]) == 0
    assert "Convolution" in target.read_text()
    assert "6x10x10" in target.read_text()
    assert capsys.readouterr().err == f"picture {target}\n"


def test_what_cannot_be_drawn_is_told(tmp_path, capsys):
    assert main(["inspect", str(LENET / "net.params"), "--plot", "x.svg"]) == 1
    assert "is no graph, and has none beside it" in capsys.readouterr().err
    graph = str(LENET / "net-symbol.json")
    assert main(["inspect", graph, "--plot", "x.doc"]) == 1
    assert "Expected a -symbol.json file, and a picture whose name ends in" in (
        capsys.readouterr().err
    )
    assert main(["inspect", graph, graph, "--plot", "x.svg"]) == 1
    assert "2 files were given. Expected one" in capsys.readouterr().err


def test_tables_stack_where_they_are_too_wide():
    rows = [["a" * 30, "1"]]
    assert table(["name", "n"], rows, [1], 60)[1] == f"  {'a' * 30}  1"
    assert table(["name", "n"], rows, [1], 20)[2:] == [f"  {'a' * 30}", "      1"]


def test_long_items_stand_alone():
    assert wrapped("kind", ["x" * 90, "y"], 80) == [
        f"  kind            {'x' * 90},", f"{' ' * 18}y",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89HDF\r\n\x1a\n", "is an HDF5 file, as Keras writes weights. Expected one of these: "),
        (b'{"class_name": "Sequential", "config": {}}', "is a model of Keras, written as JSON"),
        (b"\1\2\3", "is of no known kind"),
    ],
)
def test_files_of_others_are_named(tmp_path, capsys, content, said):
    (tmp_path / "net.h5").write_bytes(content)
    assert main(["inspect", str(tmp_path / "net.h5")]) == 1
    assert said in capsys.readouterr().err
