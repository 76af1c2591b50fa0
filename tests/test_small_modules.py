"""MXNet's small modules: runtime, engine, log, registry, library and libinfo."""

from __future__ import annotations

import logging
import threading

import pytest

import gluonish as mx
from gluonish.errors import MXNetError


def test_features_are_mxnets_and_say_what_torch_has():
    features = mx.runtime.Features()
    assert len(features) == 32
    assert features.is_enabled("profiler")
    assert features.is_enabled("CUDA") is (mx.num_gpus() > 0)
    assert "✔ PROFILER" in repr(features)
    assert [feature.name for feature in mx.runtime.feature_list()] == list(features)
    with pytest.raises(RuntimeError, match="'WINGS' is no feature. Expected one of CUDA, "):
        features.is_enabled("wings".upper())


def test_sizes_of_bulks_are_kept_by_thread():
    before = mx.engine.set_bulk_size(5)
    with mx.engine.bulk(30):
        assert mx.engine.set_bulk_size(30) == 30
        seen = []
        worker = threading.Thread(target=lambda: seen.append(mx.engine.set_bulk_size(1)))
        worker.start()
        worker.join()
    assert seen == [0]
    assert mx.engine.set_bulk_size(before) == 5


def test_loggers_write_short_lines(tmp_path, capsys):
    path = tmp_path / "a.log"
    logger = mx.log.get_logger("gluonish-test-file", str(path), "w", mx.log.INFO)
    logger.info("%d epochs", 3)
    logger.debug("left out")
    logger.log(25, "between")
    try:
        _ = 1 / 0
    except ZeroDivisionError:
        logger.exception("broken")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("[I ")
    assert lines[0].endswith("] 3 epochs")
    assert lines[1].startswith("[U ")
    assert lines[2].startswith("[E ")
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert mx.log.getLogger("gluonish-test-file") is logger
    assert len(logger.handlers) == 1
    logger.handlers[0].close()
    mx.log.get_logger("gluonish-test-stderr").warning("careful")
    assert capsys.readouterr().err.endswith("] careful\n")
    assert mx.log.get_logger() is logging.getLogger()
    formatted = mx.log._Formatter(is_coloured=True).format(
        logging.LogRecord("n", logging.INFO, "p.py", 1, "text", None, None)
    )
    assert formatted.startswith("\x1b[32m[I ")


class Shape:
    pass


def test_registries_create_as_mxnets_do():
    register = mx.registry.get_register_func(Shape, "shape")
    alias = mx.registry.get_alias_func(Shape, "shape")
    create = mx.registry.get_create_func(Shape, "shape")

    @alias("round", "disc")
    @register
    class Circle(Shape):
        def __init__(self, radius=1):
            self.radius = radius

    register(Circle, "ring")
    assert sorted(mx.registry.get_registry(Shape)) == ["circle", "disc", "ring", "round"]
    made = [
        create("Circle", 3), create("round", radius=3), create('["disc", {"radius": 3}]'),
        create('{"shape": "ring", "radius": 3}'), create({"shape": "ring", "radius": 3}),
        create(Circle(3)), create(shape="circle", radius=3),
    ]  # fmt: skip
    assert [each.radius for each in made] == [3] * 7
    with pytest.warns(UserWarning, match="New shape .* is overriding existing shape"):
        register(type("Circle", (Shape,), {}))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda create, _: create("zz"), "zz is not registered. Please register with shape.reg"),
        (lambda create, _: create(3), "shape must be of string type"),
        (lambda create, _: create(Shape(), 3), "shape is already an instance"),
        (lambda _, register: register(int), "Can only register subclass of Shape"),
    ],
)
def test_registries_refuse_what_mxnets_refuse(call, message):
    create = mx.registry.get_create_func(Shape, "shape")
    register = mx.registry.get_register_func(Shape, "shape")
    with pytest.raises(AssertionError, match=message) as caught:
        call(create, register)
    assert isinstance(caught.value, MXNetError)


def test_what_torch_does_its_own_way_is_told(tmp_path):
    path = tmp_path / "libop.so"
    with pytest.raises(MXNetError, match="does NOT exist"):
        mx.library.load(str(path))
    path.touch()
    with pytest.raises(MXNetError, match="is a plug-in for MXNet's own C"):
        mx.library.load(str(path), verbose=False)
    assert mx.libinfo.find_include_path().endswith("include")


@pytest.mark.parametrize("kind", [mx.name.NameManager, mx.AttrScope])
def test_the_scope_in_force_is_an_attribute_of_its_class(kind):
    before = kind.current
    with kind() as inner:
        assert kind.current is inner
        kind.current = before
        assert kind.current is kind._current.value is before
    assert kind.current is before
