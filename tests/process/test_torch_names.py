"""PyTorch's private names are in one module, and each does what gluonish takes it for."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils import cpp_extension

import gluonish
from gluonish.process import torch_names

_PACKAGE = Path(gluonish.__file__).parent
_HOME = Path(torch_names.__file__)
_LISTS = [name for name in vars(torch_names) if name.startswith("foreach_")]


def _private(tree: ast.AST) -> list[str]:
    """Return what a file asks of torch by a private name."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            text = ast.unparse(node)
        elif isinstance(node, ast.ImportFrom):
            text = node.module or ""
        elif isinstance(node, ast.Import):
            text = node.names[0].name
        else:
            continue
        parts = text.split(".")
        is_private = any(part.startswith("_") and not part.startswith("__") for part in parts[1:])
        if parts[0] == "torch" and is_private and re.fullmatch(r"[\w.]+", text):
            found.append(text)
    return found


def test_no_other_module_asks_torch_by_private_names() -> None:
    found = {
        str(path.relative_to(_PACKAGE)): names
        for path in _PACKAGE.rglob("*.py")
        if path != _HOME and (names := _private(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


def test_without_functions_hides_calls_from_modes() -> None:
    class Counts(TorchFunctionMode):
        seen = 0

        def __torch_function__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            self.seen += 1
            return func(*args, **(kwargs or {}))

    with Counts() as mode:
        torch.ones(2).sum()
        seen = mode.seen
        with torch_names.without_functions():
            torch.ones(2).sum()
    assert seen > 0
    assert mode.seen == seen


def test_versions_of_several_tensors_are_counted_at_once() -> None:
    tensors = [torch.ones(2), torch.ones(3)]
    before = [tensor._version for tensor in tensors]
    torch_names.increment_versions(tensors)
    assert [tensor._version for tensor in tensors] == [one + 1 for one in before]


def test_every_name_has_a_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    public = [
        name
        for name, value in vars(torch_names).items()
        if not (name.startswith("_") or inspect.ismodule(value))
        and name not in {"annotations", "TYPE_CHECKING", "Any", *_LISTS}
    ]
    assert [name for name in public if f"torch_names.{name}" not in source] == []


class _Mode(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        return function(*args, **(kwargs or {}))


def test_modes_that_see_functions_are_counted() -> None:
    assert torch_names.count_function_modes() == 0
    assert not torch_names.sees_functions()
    with _Mode():
        assert torch_names.count_function_modes() == 1
        assert torch_names.sees_functions()


def test_nodes_of_graphs_are_numbered() -> None:
    first = torch_names.next_node_number()
    y = torch.ones(2, requires_grad=True) * 2
    assert torch_names.next_node_number() == first + 1
    assert y.grad_fn is not None
    assert y.grad_fn._sequence_nr() == first


def test_backward_passes_are_run_by_the_engine() -> None:
    x = torch.ones(2, requires_grad=True)
    y = (x * 3).sum()
    arguments = (y,), (torch.ones(()),), False, False, (), True, True
    torch_names.execution_engine.run_backward(*arguments)
    assert x.grad is not None
    assert x.grad.tolist() == [3, 3]


def test_functional_linear_is_seen_under_its_name() -> None:
    seen = []

    class Sees(_Mode):
        def __torch_function__(self, function, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            seen.append(function)
            return function(*args, **(kwargs or {}))

    with Sees():
        torch.nn.functional.linear(torch.ones(1, 2), torch.ones(3, 2))
    assert torch_names.linear in seen


def test_texts_of_graphs_are_known_by_their_names() -> None:
    module = torch.fx.symbolic_trace(torch.nn.ReLU())
    name = module.forward.__code__.co_filename
    assert "relu" in torch_names.texts_of_graphs[name]


def test_operators_of_the_dispatcher_are_of_the_class() -> None:
    assert isinstance(torch.ops.aten.add.Tensor, torch_names.OperatorOverload)


def test_modes_that_see_kernels_are_counted() -> None:
    assert torch_names.count_kernel_modes() == 0

    class Seen(torch_names.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(torch_names.count_kernel_modes())
            return func(*args, **(kwargs or {}))

    seen: list[int] = []
    with Seen():
        assert torch_names.count_kernel_modes() == 1
        torch.ones(1).add(1)
    assert set(seen) == {0}


def test_products_of_bytes_are_sums_of_integers() -> None:
    left = torch.full((32, 16), 50, dtype=torch.int8)  # of more, old processors' sums overflow
    found = torch_names.integer_products(left, left.t().contiguous())
    assert found.dtype == torch.int32
    assert (found == 16 * 50 * 50).all()


def test_tensors_are_made_in_memory_that_processes_share() -> None:
    tensor = torch_names.shared_tensor((2, 3), torch.float64)
    assert tensor.is_shared()
    assert (tensor.shape, tensor.dtype) == ((2, 3), torch.float64)


def test_seeds_of_numpy_follow_from_seed_and_worker() -> None:
    first, other = torch_names.seed_of_numpy(5, 0), torch_names.seed_of_numpy(5, 1)
    assert len(first) == len(other) == 4
    assert first == torch_names.seed_of_numpy(5, 0) != other


def test_workers_of_a_loader_are_known_and_stopped() -> None:
    loader = torch.utils.data.DataLoader(range(4), num_workers=1, persistent_workers=True)
    batches = iter(loader)
    (worker,) = torch_names.workers_of(batches)
    assert worker.is_alive()
    torch_names.stop_workers(batches)
    worker.join(60)
    assert not worker.is_alive()


def test_gamma_variates_come_from_a_generator() -> None:
    draws = [
        torch_names.standard_gamma(torch.ones(5), generator=torch.Generator().manual_seed(3))
        for _ in range(2)
    ]
    assert torch.equal(*draws)


@pytest.mark.parametrize("name", _LISTS)
def test_operators_on_lists_are_those_of_single_tensors(name: str) -> None:
    short = name.removeprefix("foreach_")
    lists = [torch.tensor([4.0, 9.0])], [torch.tensor([1.0, 2.0])], [torch.tensor([3.0, 5.0])]
    arguments = {"copy_": 1, "maximum_": 1, "add": 1, "add_": 1, "mul": 1, "mul_": 1, "div": 1}
    arguments |= {"sub": 1, "sub_": 1, "addcdiv_": 2, "addcmul": 2, "addcmul_": 2, "lerp_": 2}
    count = arguments.get(short, 0)
    others = [*lists[1 : 1 + count]]
    numbers = [1.5] if short.startswith("clamp") else []
    single = lists[0][0].clone()
    of_one = [part[0] for part in others]
    if short.startswith("clamp"):
        expected = single.clamp(**{short.removeprefix("clamp_"): 1.5})
    elif short == "maximum_":
        expected = torch.maximum(single, of_one[0])
    elif short == "norm":
        expected = torch.linalg.vector_norm(single)
    else:
        expected = getattr(single, short)(*of_one)
    result = getattr(torch_names, name)(lists[0], *others, *numbers)
    assert torch.equal((lists[0] if short.endswith("_") else result)[0], expected)


def test_sgd_of_all_of_a_list_is_done_in_one_pass() -> None:
    weight, state = torch.tensor([1.0, 2.0]), torch.tensor([0.5, -0.5])
    torch_names.fused_sgd_(
        [weight], [torch.tensor([4.0, 8.0])], [state],
        weight_decay=2.0, momentum=0.5, lr=-1.0, dampening=1.25,
        nesterov=False, maximize=False, is_first_step=False,
    )  # fmt: skip
    assert torch.equal(state, torch.tensor([-1.25, -3.25]))  # 0.5 * state - 0.25 * (grad + 2 * w)
    assert torch.equal(weight, torch.tensor([-0.25, -1.25]))


def test_tables_and_classes_are_there() -> None:
    assert torch.Tensor in torch_names.default_collate_fn_map
    assert torch_names.COMPILER in ("torch._dynamo",)
    assert issubclass(torch_names.data_dependent_shape_error(), Exception)
    assert hasattr(torch_names.library_runners(), "AOTIModelContainerRunnerCpu")
    assert callable(torch_names.TorchDispatchMode.__torch_dispatch__)


def test_compilers_take_what_they_are_given() -> None:
    program = """
import inspect, torch, torch._inductor, torch._inductor.compile_fx as found
made = inspect.signature(torch._inductor.aot_compile).parameters
assert list(made)[:2] == ["gm", "args"] and "options" in made
assert "config_patches" in inspect.signature(found.compile_fx).parameters
"""  # in a process of its own, since importing the compiler warns
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True)
    assert "config_patches" in inspect.getsource(torch_names.compile_now)
    # tests/hybrid/test_quick_products.py compiles what follows from it
    assert torch_names.has_onednn is torch.backends.mkldnn.is_available()
    assert torch_names.onednn_product() is torch.ops.gluonish.onednn_product.default
    assert "torch._inductor.aot_compile(" in inspect.getsource(torch_names.aot_compile)


def test_tensors_have_the_private_methods_that_are_asked() -> None:
    x = torch.ones(2)
    assert not x._is_view()
    assert x[:1]._is_view()
    before = x._version
    x += 1
    assert x._version == before + 1


def test_onednn_takes_packed_weights_and_functions_of_the_result() -> None:
    images, filters = torch.randn(2, 3, 6, 6), torch.randn(4, 3, 3, 3)
    packed = torch_names.pack_filters(filters, [1, 1], [1, 1], [1, 1], 1, None)
    options = [1, 1], [1, 1], [1, 1], 1
    right = torch.conv2d(images, filters, None, 1, 1)
    relu = torch_names.convolution_pointwise(images, packed, None, *options, "relu", [], "")
    assert torch.allclose(relu, right.relu(), atol=1e-5)
    other = torch.randn_like(right)
    total = other + right
    made = torch_names.convolution_onto(
        other, images, packed, None, *options, "add", 1.0, None, [], None
    )
    assert torch.allclose(made, total, atol=1e-5)
    assert made.data_ptr() == other.data_ptr()
    rows, matrix = torch.randn(5, 8), torch.randn(6, 8)
    packed = torch_names.pack_matrix(matrix, None)
    found = torch_names.linear_pointwise(rows, packed, None, "none", [], "")
    assert torch.allclose(found, rows @ matrix.t(), atol=1e-5)


def test_kernels_are_compiled_by_source_name_and_options(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = ["kernel_source", "kernel_name", "nvcc_options"]
    parameters = list(inspect.signature(torch.cuda._compile_kernel).parameters)
    assert [name for name in parameters if name in expected] == expected
    assert parameters[:2] == expected[:2]
    seen = []
    monkeypatch.setattr(torch.cuda, "_compile_kernel", lambda *a, **k: seen.append((a, k)))
    torch_names.compile_kernel("source", "name", ["-G"])
    (source, name), options = seen[0]
    assert source.startswith("#undef __CUDA_NO_HALF_OPERATORS__\n")
    assert source.endswith("\n#line 1\nsource")
    assert (name, options) == ("name", {"nvcc_options": ["-G"]})


@pytest.mark.parametrize("has_headers", [False, True])
def test_kernels_are_compiled_without_a_cuda_toolkit(
    has_headers: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cpp_extension, "CUDA_HOME", None)
    headers = tmp_path / "nvidia" / "cuda_runtime" / "include"
    if has_headers:
        headers.mkdir(parents=True)
        (headers / "cuda_fp16.h").touch()
        monkeypatch.syspath_prepend(str(tmp_path))
    seen = []

    def compile_kernel(*_: object, **_options: object) -> None:
        seen.extend(cpp_extension.include_paths("cuda"))

    monkeypatch.setattr(torch.cuda, "_compile_kernel", compile_kernel)
    torch_names.compile_kernel("source", "name", [])
    assert (str(headers) in seen) is has_headers
    assert cpp_extension.CUDA_HOME is None


def test_cross_entropy_is_what_the_functional_one_is() -> None:
    data, label = torch.randn(3, 4), torch.tensor([1, 0, 3])
    each = torch.nn.functional.cross_entropy(data, label, reduction="none")
    assert torch_names.cross_entropy_loss(data, label, None, 0, -100, 0.0).equal(each)
    with pytest.raises(IndexError):
        torch_names.cross_entropy_loss(data, label + 1, None, 0, -100, 0.0)
